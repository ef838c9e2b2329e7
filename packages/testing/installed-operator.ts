// SPDX-License-Identifier: Apache-2.0
import { readFile } from 'node:fs/promises';
import { apiServer } from '@forge/apiserver/api-server.ts';
import { inProcessTransport } from '@forge/apiserver/wire/in-process-transport.ts';
import { client, type Client } from '@forge/kube/client/client.ts';
import { builtinKinds } from '@forge/kube/kinds/builtin.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { seededRandom } from '@forge/runtime/environment/seeded-random.ts';
import { virtualClock } from '@forge/runtime/environment/virtual-clock.ts';
import { parseAllDocuments } from 'yaml';

/** A server on which an operator is installed from its manifests. */
interface InstalledOperator {
  /** The administrator who installed it. */
  admin: Client;
  /** The ServiceAccount of the operator. */
  operator: Client;
}

/**
 * Applies these manifests to a new server, as kubectl does; objects without a namespace go to the namespace `watched`.
 */
export async function installedOperator(
  { name, namespace, watched }: { name: string; namespace: string; watched?: string },
  files: readonly URL[],
): Promise<InstalledOperator> {
  const server = await apiServer({ clock: virtualClock(), random: seededRandom() });
  const admin = client(inProcessTransport(server));
  for (const file of files) await applyManifest(admin, file, watched);
  const account = {
    name: `system:serviceaccount:${namespace}:${name}`,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
  };
  return { admin, operator: client(inProcessTransport(server, account)) };
}

async function applyManifest(api: Client, file: URL, watched: string | undefined): Promise<void> {
  for (const document of parseAllDocuments(await readFile(file, 'utf8'))) {
    const object = document.toJS() as KubeObject;
    const kind = builtinKinds.find((each) => each.apiVersion === object.apiVersion && each.kind === object.kind);
    if (kind === undefined) throw new Error(`${object.kind} in ${file.pathname} is not a built-in kind`);
    const { namespace = watched } = object.metadata;
    const needsNamespace = kind.scope === 'Namespaced' && namespace !== undefined;
    const metadata = { ...object.metadata, ...(needsNamespace && { namespace }) };
    await api.apply(kind, { ...object, metadata }, { fieldManager: 'kubectl' });
  }
}
