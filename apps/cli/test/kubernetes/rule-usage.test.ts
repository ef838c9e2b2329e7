// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuditEntry } from './audit-log.ts';
import { unusedPermissions } from './rule-usage.ts';

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

test('permissions without a request are unused; an apply that creates uses two, and a refused request none', () => {
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
