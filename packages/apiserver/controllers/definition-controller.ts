// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import type { CustomResourceDefinitionCondition } from '@forge/kube/generated/types.ts';
import { CustomResourceDefinition } from '@forge/kube/kinds/builtin.ts';
import { jsonEqual } from '@forge/kube/objects/json.ts';
import { refOf } from '@forge/kube/objects/object.ts';
import { trackUpdate } from '@forge/kube/patch/track-update.ts';
import { timestamp } from '@forge/runtime/environment/clock.ts';
import { customResources, type CustomResources } from '../registry/custom-resource.ts';
import { cleanupFinalizer } from '../registry/defaults/definitions.ts';
import type { ServerContext } from '../request/server-context.ts';
import { prefixOf } from '../resources/resource.ts';
import { resourceOf } from '../storage/store.ts';
import type { StoredObject } from '../storage/stored-object.ts';
import { removeImmediately } from '../verbs/delete.ts';
import { correctionQueue } from './correction-queue.ts';
import { observeChanges } from './observe-changes.ts';
import { workQueue, type AllowCorrection } from './work-queue.ts';

const prefix = 'customresourcedefinitions.apiextensions.k8s.io//';

/** Serves the resources of CustomResourceDefinitions, and deletes their objects when a definition is deleted. */
export function definitionController(server: ServerContext, api: Client): () => Promise<void> {
  const { store, resources, clock } = server;
  /** Served resources by definition, with the spec they were built from. */
  const serving = new Map<string, { spec: CustomResourceDefinition['spec']; defined: CustomResources }>();

  /** Serves a definition; an unchanged spec is skipped, so that nothing is converted again. */
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

  /** Takes effect before the response, so that a new definition can be used immediately. */
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

  /** Deletes the objects of a terminating definition, and removes its finalizer when none are left. */
  async function finalize(key: string): Promise<void> {
    const definition = store.current.objects.get(key)?.value as CustomResourceDefinition | undefined;
    if (definition?.metadata.deletionTimestamp === undefined) return;
    const resource = serving.get(key)?.defined.stored;
    if (resource !== undefined) {
      const instances = () => [...store.current.objects.withPrefix(prefixOf(resource, undefined))];
      const remaining = instances().filter(({ value }) => value.metadata.deletionTimestamp === undefined);
      // Served or not, and without webhooks.
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
      // Skip changes that have been superseded.
      else if (store.current.objects.get(object.key) === object) observe(object);
    } else if (type === 'DELETED') {
      // It may be the last object of a terminating definition.
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
