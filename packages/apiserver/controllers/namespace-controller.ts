// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import type { Transport } from '@forge/kube/client/transport.ts';
import { isApiError } from '@forge/kube/errors/api-error.ts';
import type { Namespace } from '@forge/kube/kinds/builtin.ts';
import { jsonEqual } from '@forge/kube/objects/json.ts';
import { refOf } from '@forge/kube/objects/object.ts';
import { timestamp } from '@forge/runtime/environment/clock.ts';
import type { ServerContext } from '../request/server-context.ts';
import { prefixOf, type Resource } from '../resources/resource.ts';
import type { StoredObject } from '../storage/stored-object.ts';
import { namespaceConditions } from './namespace-conditions.ts';
import { observeChanges } from './observe-changes.ts';
import { workQueue } from './work-queue.ts';

const prefix = 'namespaces//';

/** Deletes the content of a terminating namespace, and finalizes it when nothing is left. */
export function namespaceController(server: ServerContext, api: Client, transport: Transport): () => Promise<void> {
  const { store, resources, clock } = server;

  async function deleteContent(key: string): Promise<void> {
    const namespace = store.current.objects.get(key)?.value as Namespace | undefined;
    if (namespace?.metadata.deletionTimestamp === undefined) return;
    const { name } = namespace.metadata;
    const namespaced = resources.distinct().filter(({ kind }) => kind.scope === 'Namespaced');
    for (const resource of namespaced) {
      const remaining = contents(resource, name).filter(({ value }) => value.metadata.deletionTimestamp === undefined);
      for (const { value } of remaining) {
        await api.delete(resource.kind, refOf(value), { propagation: 'Background' }).catch((error: unknown) => {
          if (!isApiError(error, 'NotFound')) throw error;
        });
      }
    }
    const remainders = namespaced.map((resource) => ({
      ...resource.kind,
      objects: contents(resource, name).map(({ value }) => value),
    }));
    const conditions = namespaceConditions(remainders, namespace.status?.conditions ?? [], timestamp(clock));
    const status = { ...namespace.status, conditions };
    if (!jsonEqual(status, namespace.status)) await put(name, 'status', { status });
    if (remainders.some(({ objects }) => objects.length > 0)) return;
    const finalizers = (namespace.spec?.finalizers ?? []).filter((each) => each !== 'kubernetes');
    await put(name, 'finalize', { spec: { ...namespace.spec, finalizers } });
  }

  /** Writes a subresource of the namespace. */
  async function put(name: string, part: string, content: Partial<Namespace>): Promise<void> {
    const body = { ...store.current.objects.get(prefix + name)?.value, ...content };
    const query = { fieldManager: 'kube-controller-manager' };
    await transport.request({ method: 'PUT', path: `/api/v1/namespaces/${name}/${part}`, query, body });
  }

  function contents(resource: Resource, namespace: string): StoredObject[] {
    return [...store.current.objects.withPrefix(prefixOf(resource, namespace))];
  }

  const queue = workQueue('namespace', server, deleteContent);
  for (const { key } of store.current.objects.withPrefix(prefix)) queue.add(key);
  const stopObserving = observeChanges(server, ({ type, object: { key, value } }) => {
    if (key.startsWith(prefix)) queue.add(key);
    else if (type === 'DELETED' && value.metadata.namespace !== undefined)
      queue.add(`${prefix}${value.metadata.namespace}`);
  });
  return async () => {
    stopObserving();
    await queue.stop();
  };
}
