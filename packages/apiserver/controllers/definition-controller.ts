// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import type { CustomResourceDefinitionCondition } from '@forge/kube/generated/types.ts';
import { CustomResourceDefinition } from '@forge/kube/kinds/builtin.ts';
import { jsonEqual } from '@forge/kube/objects/json.ts';
import { refOf } from '@forge/kube/objects/object.ts';
import { trackUpdate } from '@forge/kube/patch/track-update.ts';
import { timestamp } from '@forge/runtime/time/clock.ts';
import type { ServerContext } from '../context/server-context.ts';
import { customResources, type CustomResources } from '../registry/custom-resource.ts';
import { cleanupFinalizer } from '../registry/defaults/default-definition.ts';
import { prefixOf } from '../resources/resource.ts';
import { resourceOf } from '../storage/store.ts';
import type { StoredObject } from '../storage/stored-object.ts';
import { removeImmediately } from '../verbs/delete.ts';
import { correctionQueue } from './correction-queue.ts';
import { observeChanges } from './observe-changes.ts';
import { workQueue, type AllowCorrection } from './work-queue.ts';

const prefix = 'customresourcedefinitions.apiextensions.k8s.io//';

/** Serves what definitions define, and clears that away when a definition goes. */
export function definitionController(server: ServerContext, api: Client): () => Promise<void> {
  const { store, resources, clock } = server;
  /** What each definition defines, and the spec that says so. */
  const serving = new Map<string, { spec: CustomResourceDefinition['spec']; defined: CustomResources }>();

  /** Serves what the definition says; one that says the same as before is no new one, so that nothing is renewed. */
  function serve({ key, value, revision }: StoredObject): void {
    const definition = value as CustomResourceDefinition;
    const known = serving.get(key);
    if (known !== undefined && jsonEqual(known.spec, definition.spec)) return;
    stopServing(key);
    const defined = customResources(definition, revision);
    serving.set(key, { spec: definition.spec, defined });
    for (const resource of defined.served) resources.set(resource);
  }

  function stopServing(key: string): void {
    for (const resource of serving.get(key)?.defined.served ?? []) resources.remove(resource);
    serving.delete(key);
  }

  /** Takes effect at once, so that who created a definition can use it as soon as that is answered. */
  function observe(stored: StoredObject): void {
    if (stored.value.metadata.deletionTimestamp !== undefined) queue.add(stored.key);
    serve(stored);
    statuses.correct(stored.key);
  }

  function establish(key: string, allowCorrection: AllowCorrection): void {
    const stored = store.current.objects.get(key);
    if (stored === undefined) return;
    const definition = stored.value as CustomResourceDefinition;
    const time = timestamp(clock);
    const status = establishedStatus(definition, time);
    const { uid, generation } = definition.metadata;
    if (jsonEqual(status, definition.status) || !allowCorrection(`${uid} ${generation}`)) return;
    const after: CustomResourceDefinition = { ...definition, status };
    const { schema } = CustomResourceDefinition;
    const writer = { manager: 'kube-apiserver', subresource: 'status', time };
    store.commit(key, stored, trackUpdate({ before: definition, after, schema, ...writer }));
  }

  /** Deletes what a dying definition defined, and lets it go when nothing of that is left. */
  async function finalize(key: string): Promise<void> {
    const definition = store.current.objects.get(key)?.value as CustomResourceDefinition | undefined;
    if (definition?.metadata.deletionTimestamp === undefined) return;
    const resource = serving.get(key)?.defined.stored;
    if (resource !== undefined) {
      const instances = () => [...store.current.objects.withPrefix(prefixOf(resource, undefined))];
      const remaining = instances().filter(({ value }) => value.metadata.deletionTimestamp === undefined);
      // Be they served or not; no webhook is asked about it.
      for (const each of remaining) removeImmediately(server, resource, each, { dryRun: false });
      await store.durable();
      if (instances().length > 0) return;
    }
    const finalizers = (definition.metadata.finalizers ?? []).filter((each) => each !== cleanupFinalizer);
    await api.patch(CustomResourceDefinition, refOf(definition), 'merge', { metadata: { finalizers } });
  }

  const queue = workQueue('definition', server, finalize);
  const statuses = correctionQueue('definition status', server, establish);
  for (const stored of store.current.objects.withPrefix(prefix)) observe(stored);
  const stopObserving = observeChanges(server, ({ type, object }) => {
    if (object.key.startsWith(prefix)) {
      if (type === 'DELETED') stopServing(object.key);
      // Another change may have come before this one was told; that one counts.
      else if (store.current.objects.get(object.key) === object) observe(object);
    } else if (type === 'DELETED') {
      // It may be the last of its kind that a dying definition waits for.
      queue.add(`${prefix}${resourceOf(object.key)}`);
    }
  });
  return async () => {
    stopObserving();
    await Promise.all([queue.stop(), statuses.stop()]);
  };
}

function establishedStatus(
  { spec, status }: CustomResourceDefinition,
  now: string,
): NonNullable<CustomResourceDefinition['status']> {
  const conditions = status?.conditions ?? [];
  const isTrue = (type: string): boolean => conditions.some((each) => each.type === type && each.status === 'True');
  const added: CustomResourceDefinitionCondition[] = [
    { type: 'NamesAccepted', reason: 'NoConflicts', message: 'no conflicts found' },
    { type: 'Established', reason: 'InitialNamesAccepted', message: 'the initial names have been accepted' },
  ]
    .filter(({ type }) => !isTrue(type))
    .map((condition) => ({ ...condition, status: 'True', lastTransitionTime: now }));
  const kept = conditions.filter(({ type }) => !added.some((each) => each.type === type));
  return { ...status, conditions: [...kept, ...added], acceptedNames: spec.names };
}
