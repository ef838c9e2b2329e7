// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import { isApiError } from '@forge/kube/errors/api-error.ts';
import { PersistentVolumeClaim, Pod, StatefulSet } from '@forge/kube/kinds/builtin.ts';
import type { Controller } from '@forge/runtime/controller/controller.ts';
import { timestamp } from '@forge/runtime/environment/clock.ts';

/** The revision of all pods: templates do not change here. */
const revision = 'first';

/** A controller that makes claims and pods of OpenBao's StatefulSets, and reports their servers as running at once. */
export const instantServers: Controller = {
  name: 'instant-servers',
  for: StatefulSet,
  async reconcile(ref, { cache, client, clock }) {
    const set = cache.get(StatefulSet, ref);
    if (set?.spec === undefined || set.metadata.deletionTimestamp !== undefined) return undefined;
    const { generation = 0 } = set.metadata;
    const replicas = set.spec.replicas ?? 1;
    // The operator adds the others once the first one is initialised.
    const isInitialized = replicas > 1;
    for (let ordinal = 0; ordinal < replicas; ordinal += 1) {
      await serverPod(set, { ordinal, isInitialized, time: timestamp(clock) }, client);
    }
    const status = { observedGeneration: generation, replicas, currentRevision: revision, updateRevision: revision };
    await client.patch(StatefulSet, ref, 'merge', { status }, { subresource: 'status' });
    return undefined;
  },
};

interface ServerState {
  readonly ordinal: number;
  readonly isInitialized: boolean;
  readonly time: string;
}

async function serverPod(
  set: StatefulSet,
  { ordinal, isInitialized, time }: ServerState,
  client: Client,
): Promise<void> {
  const { namespace = '', name: setName } = set.metadata;
  const name = `${setName}-${ordinal}`;
  const [template] = set.spec?.volumeClaimTemplates ?? [];
  const { metadata = {}, spec } = set.spec?.template ?? {};
  if (template === undefined || spec === undefined) return;
  const claim = { ...template, metadata: { ...template.metadata, namespace, name: `data-${name}` } };
  await unlessThere(client.create(PersistentVolumeClaim, claim));
  const labels = {
    ...metadata.labels,
    'controller-revision-hash': revision,
    'openbao-initialized': String(isInitialized),
    'openbao-sealed': String(!isInitialized),
    'openbao-active': String(isInitialized && ordinal === 0),
    'openbao-version': '2.7.2',
  };
  await unlessThere(
    client.create(Pod, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { namespace, name, labels, ...(metadata.annotations && { annotations: metadata.annotations }) },
      spec: { ...spec, hostname: name, volumes: [...(spec.volumes ?? []), volumeOf(template, claim)] },
    }),
  );
  const ready = { type: 'Ready', status: isInitialized ? 'True' : 'False', lastTransitionTime: time };
  const container = { name: 'openbao', image: '', imageID: '', restartCount: 0, ready: isInitialized, started: true };
  const status = {
    phase: 'Running',
    conditions: [ready],
    containerStatuses: [{ ...container, state: { running: { startedAt: time } } }],
  };
  const pod = { namespace, name };
  await client.patch(Pod, pod, 'merge', { metadata: { labels } });
  await client.patch(Pod, pod, 'merge', { status }, { subresource: 'status' });
}

const volumeOf = (template: PersistentVolumeClaim, claim: PersistentVolumeClaim) => ({
  name: template.metadata.name,
  persistentVolumeClaim: { claimName: claim.metadata.name },
});

async function unlessThere(created: Promise<unknown>): Promise<void> {
  try {
    await created;
  } catch (error) {
    if (!isApiError(error, 'AlreadyExists')) throw error;
  }
}
