// SPDX-License-Identifier: Apache-2.0
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { ClusterRole } from '@forge/kube/kinds/builtin.ts';
import { jsonEqual } from '@forge/kube/objects/json.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { matchesLabelSelector } from '@forge/kube/selectors/selector.ts';
import type { Wire } from './wires/wire.ts';

const file = fileURLToPath(new URL('../access/default-roles.json', import.meta.url));
const kinds = {
  clusterroles: 'ClusterRole',
  clusterrolebindings: 'ClusterRoleBinding',
  roles: 'Role',
  rolebindings: 'RoleBinding',
};

/** Records the default roles and bindings of a new cluster, once its roles are aggregated. */
export async function recordDefaultRoles(wire: Wire): Promise<void> {
  const objects: object[] = [];
  await wire.until(async () => {
    const roles = (await list(wire, 'clusterroles')) as ClusterRole[];
    return roles.every((role) => isGathered(role, roles));
  });
  for (const [plural, kind] of Object.entries(kinds)) {
    for (const role of await list(wire, plural)) {
      const { name, namespace, labels, annotations } = role.metadata;
      const metadata = { name, namespace, labels, annotations };
      objects.push({ apiVersion: 'rbac.authorization.k8s.io/v1', kind, ...role, metadata });
    }
  }
  await writeFile(file, JSON.stringify(objects));
  await promisify(execFile)('oxfmt', [file]);
}

function isGathered({ aggregationRule, rules }: ClusterRole, roles: readonly ClusterRole[]): boolean {
  const selectors = aggregationRule?.clusterRoleSelectors ?? [];
  const chosen = roles.filter(({ metadata }) => selectors.some((each) => matchesLabelSelector(each, metadata.labels)));
  return chosen.flatMap((each) => each.rules ?? []).every((rule) => rules?.some((each) => jsonEqual(each, rule)));
}

/** The items of a list with kind and apiVersion added. */
async function list(wire: Wire, plural: string): Promise<Omit<KubeObject, 'apiVersion' | 'kind'>[]> {
  const path = `/apis/rbac.authorization.k8s.io/v1/${plural}`;
  const { body } = await wire.send({ method: 'GET', path, query: {}, headers: {} });
  return (JSON.parse(Buffer.concat(await Array.fromAsync(body)).toString()) as { items: [] }).items;
}
