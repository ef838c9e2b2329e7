// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Permission } from '@forge/cluster/controllers/test/permissions.ts';
import type { OperatorInstallation } from '../../up/install-operator.ts';
import { describeEntry, isDenied, readAuditLog, type AuditEntry } from './audit-log.ts';
import { rulesOf, unusedPermissions } from './rule-usage.ts';

/** The ServiceAccount of an operator, as `namespace:name`. */
export const accountOf = ({ namespace, deployment }: OperatorInstallation) =>
  `${namespace}:${deployment.metadata.name}`;

/** What an operator asked of kube-apiserver. */
export async function requestsOf(operator: OperatorInstallation, auditLog: string): Promise<AuditEntry[]> {
  const user = `system:serviceaccount:${accountOf(operator)}`;
  return (await readAuditLog(auditLog)).filter((entry) => entry.user.username === user);
}

/** Requests through the API server to a Service whose name does not resolve: by a rule that only optional-role.yaml has. */
const isOptional = ({ objectRef }: AuditEntry) =>
  objectRef?.resource === 'services' && objectRef.subresource === 'proxy';

/** Asserts that an operator was denied nothing, and that it used every permission of its manifests but the excused ones. */
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
