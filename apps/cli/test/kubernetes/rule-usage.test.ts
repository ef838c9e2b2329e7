// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDenied, type AuditEntry } from './audit-log.ts';
import { rulesOf, unusedPermissions } from './rule-usage.ts';

const request = (verb: string, resource: string, name: string, code = 200): AuditEntry => ({
  auditID: `${verb} ${name}`,
  stage: 'ResponseComplete',
  verb,
  requestURI: '',
  requestReceivedTimestamp: '',
  user: { username: 'operator' },
  objectRef: { resource, name },
  responseStatus: { code },
});

/** The creation of an Event that was refused with this text. */
const refused = (message: string) => ({
  ...request('create', 'events', 'a'),
  responseStatus: { code: 403, message },
});

test('permissions without a request are unused; an apply that creates uses two permissions, a refused request none', () => {
  const rules = [
    { apiGroups: [''], resources: ['configmaps'], verbs: ['create', 'delete', 'get', 'patch'] },
    { apiGroups: [''], resources: ['secrets'], resourceNames: ['a', 'b'], verbs: ['update'] },
  ];
  const requests = [
    request('patch', 'configmaps', 'a', 201),
    request('delete', 'configmaps', 'a', 403),
    request('update', 'secrets', 'a'),
  ];
  assert.deepEqual(unusedPermissions(rules, requests), ['delete configmaps', 'get configmaps', 'update secrets b']);
});

test('a request is denied when a permission is missing, not when its namespace is terminating', () => {
  assert.equal(isDenied(refused('events is forbidden: User "operator" cannot create resource "events"')), true);
  const terminating = 'unable to create new content in namespace two because it is being terminated';
  assert.equal(isDenied(refused(`events "a" is forbidden: ${terminating}`)), false);
});

test('a request on a subresource uses only that permission, and a request of another API group none', () => {
  const group = 'keystone.openstack.c5c3.io';
  const rules = [
    { apiGroups: [group], resources: ['keystones', 'keystones/status'], verbs: ['update'] },
    { apiGroups: [''], resources: ['keystones'], verbs: ['update'] },
  ];
  const objectRef = { resource: 'keystones', subresource: 'status', apiGroup: group, name: 'identity' };
  const requests = [{ ...request('update', 'keystones', 'identity'), objectRef }];
  assert.deepEqual(unusedPermissions(rules, requests), ['update keystones', `update keystones.${group}`]);
});

test('the rules of an installation are those of its Roles and ClusterRoles', () => {
  const [one, other] = ['configmaps', 'secrets'].map((resource) => ({ resources: [resource], verbs: ['get'] }));
  const apiVersion = 'rbac.authorization.k8s.io/v1';
  const metadata = { name: 'operator' };
  const objects = [
    { apiVersion, kind: 'Role', metadata, rules: [one] },
    { apiVersion, kind: 'ClusterRole', metadata, rules: [other] },
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata },
  ];
  assert.deepEqual(rulesOf(objects), [one, other]);
});
