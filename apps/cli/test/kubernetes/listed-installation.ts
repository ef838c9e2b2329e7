// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Client } from '@forge/kube/client/client.ts';
import { Pod } from '@forge/kube/kinds/builtin.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { eventually } from '@forge/testing/programs/eventually.ts';
import { parseAllDocuments } from 'yaml';
import { operatorFile, type OperatorName } from '../../../../operators/operators.ts';
import { kindOf, parseInstallation, type OperatorInstallation } from '../../up/install-operator.ts';
import { requestsOf } from './operator-requests.ts';

const home = 'forge-listed';

/** A manifest of an operator. */
export function manifestOf(operator: OperatorName, file: string): Promise<string> {
  return readFile(operatorFile(operator, `manifests/${file}`), 'utf8');
}

/** As the guide installs an operator for listed namespaces: the Role is applied in each. */
export async function listedInstallation(
  operator: OperatorName,
  namespaces: readonly string[],
): Promise<OperatorInstallation> {
  const text = (await manifestOf(operator, 'install-namespaces.yaml'))
    .replace('--namespaces=openstack', `--namespaces=${namespaces.join(',')}`)
    .replaceAll('forge-system', home);
  const installation = parseInstallation(operator, text);
  const role = (await manifestOf(operator, 'watched-namespace.yaml')).replaceAll('forge-system', home);
  const watched = namespaces.flatMap((namespace) => [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    ...parseAllDocuments(role).map((document) => {
      const object = document.toJS() as KubeObject;
      return { ...object, metadata: { ...object.metadata, namespace } };
    }),
  ]);
  return { ...installation, objects: [...watched, ...installation.objects] };
}

/** Asserts that an operator asked for objects of its own and these namespaces alone, and of each. */
export async function checkNamespaces(
  operator: OperatorInstallation,
  { auditLog, namespaces }: { auditLog: string; namespaces: readonly string[] },
): Promise<void> {
  const asked = (await requestsOf(operator, auditLog)).map(({ objectRef }) => objectRef?.namespace);
  assert.deepEqual(
    new Set(asked.filter((namespace) => namespace !== undefined)),
    new Set([...namespaces, operator.namespace]),
  );
}

/** Removes an operator, but neither its kinds nor namespaces; resolves when its pods are gone. */
export async function uninstall(operator: OperatorInstallation, client: Client): Promise<void> {
  const { objects, namespace, deployment } = operator;
  const kept = ['CustomResourceDefinition', 'Namespace'];
  for (const object of objects.toReversed()) {
    if (!kept.includes(object.kind))
      await client.delete(kindOf(object), object.metadata, { propagation: 'Background' });
  }
  await eventually('the pods of the operator are gone', async () => {
    const labelSelector = `app.kubernetes.io/name=${deployment.metadata.name}`;
    const { items } = await client.list(Pod, { namespace, labelSelector });
    return items.length === 0 ? true : undefined;
  });
}
