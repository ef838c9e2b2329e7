// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import type { Client } from '@forge/kube/client/client.ts';
import type { PolicyRule, RoleRef, Subject } from '@forge/kube/generated/types.ts';
import { ClusterRole, ClusterRoleBinding, Deployment, Role, RoleBinding } from '@forge/kube/kinds/builtin.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import type { OperatorName } from '../../../../operators/operators.ts';
import { operatorInstallation, operatorNamespace as namespace } from '../../up/install-operator.ts';

type Binding = KubeObject & { roleRef: RoleRef; subjects?: Subject[] };
type AnyRole = KubeObject & { rules?: PolicyRule[] };

/** Asserts that an operator runs with the ServiceAccount of its manifests, which has exactly their permissions. */
export async function assertGeneratedAccess(kube: Client, name: OperatorName): Promise<void> {
  const { objects, deployment } = await operatorInstallation(name);
  const account = deployment.metadata.name;
  const { spec } = await kube.get(Deployment, { namespace, name: account });
  assert.equal(spec?.template.spec?.serviceAccountName, account);
  const live = [
    ...(await kube.list(ClusterRoleBinding)).items,
    ...(await kube.list(RoleBinding)).items,
    ...(await kube.list(ClusterRole)).items,
    ...(await kube.list(Role)).items,
  ];
  assert.deepEqual(accessOf(account, live), accessOf(account, objects));
}

/** The rules that are bound to a ServiceAccount, by the names of binding and role. */
function accessOf(account: string, objects: readonly KubeObject[]): Record<string, PolicyRule[] | undefined> {
  const bindings = objects.filter(({ kind }) => kind.endsWith('RoleBinding')) as Binding[];
  const own = bindings.filter(({ subjects = [] }) =>
    subjects.some((subject) => subject.name === account && subject.namespace === namespace),
  );
  const roles: readonly AnyRole[] = objects;
  const entries = own.map(({ kind, metadata, roleRef }) => {
    const role = roles.find((each) => each.kind === roleRef.kind && each.metadata.name === roleRef.name);
    return [`${kind} ${metadata.name} of ${roleRef.name}`, role?.rules] as const;
  });
  return Object.fromEntries(entries);
}
