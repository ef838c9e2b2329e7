// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Permission } from '@forge/testing/permissions.ts';
import type { OperatorInstallation } from '../../up/install-operator.ts';
import { describeEntry, isDenied, readAuditLog, type AuditEntry } from './audit-log.ts';
import { rulesOf, unusedPermissions } from './rule-usage.ts';

/** The ServiceAccount of an operator, as `namespace:name`. */
export const accountOf = ({ namespace, deployment }: OperatorInstallation) =>
  `${namespace}:${deployment.metadata.name}`;

/** The requests of an operator to kube-apiserver. */
export async function requestsOf(operator: OperatorInstallation, auditLog: string): Promise<AuditEntry[]> {
  const user = `system:serviceaccount:${accountOf(operator)}`;
  return (await readAuditLog(auditLog)).filter((entry) => entry.user.username === user);
}

/** Requests to a Service through the API server, which only optional-role.yaml allows. */
const isOptional = ({ objectRef }: AuditEntry) =>
  objectRef?.resource === 'services' && objectRef.subresource === 'proxy';

/**
 * Asserts that no request of an operator was denied, and that it used all permissions of its manifests except
 * `excused`.
 */
export async function checkPermissions(
  context: TestContext,
  operator: OperatorInstallation,
  { auditLog, excused }: { auditLog: string; excused: Readonly<Record<Permission, string>> },
): Promise<void> {
  const own = await requestsOf(operator, auditLog);
  assert.deepEqual(own.filter((entry) => isDenied(entry) && !isOptional(entry)).map(describeEntry), []);
  const unused = unusedPermissions(rulesOf(operator.objects), own);
  context.diagnostic(`${own.length} requests; permissions without a request: ${unused.join(', ')}`);
  assert.deepEqual(
    unused.filter((each) => !(each in excused)),
    [],
    'permissions that are never used',
  );
}
