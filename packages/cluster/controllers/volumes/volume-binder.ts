// SPDX-License-Identifier: Apache-2.0
import { isApiError } from '@forge/kube/errors/api-error.ts';
import { PersistentVolume, PersistentVolumeClaim } from '@forge/kube/kinds/builtin.ts';
import { refOf } from '@forge/kube/objects/object.ts';
import { watch, type Controller, type ReconcileContext } from '@forge/runtime/controller/controller.ts';
import type { Duration } from '@forge/runtime/time/duration.ts';
import { removeObject } from '../../objects/remove-object.ts';
import { writeStatus } from '../../objects/write-status.ts';

/** The node keeps a folder for each of these volumes. */
const driver = 'local-folder.forge';

/** Provisions and binds a volume for every PersistentVolumeClaim, and deletes it with the claim. */
export const volumeBinder: Controller = {
  name: 'persistentvolume-binder',
  for: PersistentVolumeClaim,
  watches: [
    watch(PersistentVolume, ({ spec }) => {
      const { name, namespace } = spec?.claimRef ?? {};
      return name === undefined ? [] : [{ name, namespace }];
    }),
  ],

  async reconcile(ref, context): Promise<Duration | undefined> {
    const { cache, client } = context;
    const claim = cache.get(PersistentVolumeClaim, ref);
    for (const volume of cache.list(PersistentVolume)) {
      const { name, namespace, uid } = volume.spec?.claimRef ?? {};
      const isOurs = volume.spec?.csi?.driver === driver && name === ref.name && namespace === ref.namespace;
      if (isOurs && uid !== claim?.metadata.uid) await removeObject(client, PersistentVolume, volume);
    }
    if (claim?.metadata.deletionTimestamp === undefined && claim?.spec !== undefined) await bind(claim, context);
    return undefined;
  },
};

async function bind(claim: PersistentVolumeClaim, { client, cache }: ReconcileContext): Promise<void> {
  const wanted = volumeFor(claim);
  const name = claim.spec?.volumeName ?? wanted.metadata.name;
  let volume = cache.get(PersistentVolume, { name });
  if (volume === undefined) {
    // A claim that names a volume waits for that one only.
    if (claim.spec?.volumeName !== undefined && claim.spec.volumeName !== wanted.metadata.name) return;
    volume = await create(wanted, client);
  }
  if (!isFreeFor(claim, volume)) return;
  if (!volume.spec?.claimRef?.uid) volume = await reserve(volume, wanted, client);
  await writeStatus(client, PersistentVolume, volume, { phase: 'Bound' });
  let bound = claim;
  if (claim.spec?.volumeName === undefined) {
    const { resourceVersion } = claim.metadata;
    bound = await client.patch(PersistentVolumeClaim, refOf(claim), 'merge', {
      metadata: { resourceVersion, annotations: { 'pv.kubernetes.io/bind-completed': 'yes' } },
      spec: { volumeName: name },
    });
  }
  const { capacity = {}, accessModes = [] } = volume.spec ?? {};
  await writeStatus(client, PersistentVolumeClaim, bound, { phase: 'Bound', accessModes, capacity });
}

/** A claim can name any volume; it is bound only if no other claim has it or is meant to. */
function isFreeFor({ metadata }: PersistentVolumeClaim, { spec }: PersistentVolume): boolean {
  const { claimRef } = spec ?? {};
  if (claimRef === undefined) return true;
  if (claimRef.uid) return claimRef.uid === metadata.uid;
  return claimRef.name === metadata.name && claimRef.namespace === metadata.namespace;
}

/** Sets the claimRef of a volume, before the claim is updated. */
async function reserve(
  volume: PersistentVolume,
  wanted: PersistentVolume,
  client: ReconcileContext['client'],
): Promise<PersistentVolume> {
  const { resourceVersion } = volume.metadata;
  const claimRef = wanted.spec?.claimRef;
  return client.patch(PersistentVolume, refOf(volume), 'merge', { metadata: { resourceVersion }, spec: { claimRef } });
}

async function create(volume: PersistentVolume, client: ReconcileContext['client']): Promise<PersistentVolume> {
  try {
    return await client.create(PersistentVolume, volume);
  } catch (error) {
    if (isApiError(error, 'AlreadyExists')) return client.get(PersistentVolume, refOf(volume));
    throw error;
  }
}

function volumeFor({ metadata, spec = {} }: PersistentVolumeClaim): PersistentVolume {
  const { name, namespace = '', uid = '' } = metadata;
  const handle = `pvc-${uid}`;
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: handle, annotations: { 'pv.kubernetes.io/provisioned-by': driver } },
    spec: {
      accessModes: spec.accessModes ?? [],
      capacity: { storage: spec.resources?.requests?.['storage'] ?? '0' },
      claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', name, namespace, uid },
      csi: { driver, volumeHandle: handle },
      persistentVolumeReclaimPolicy: 'Delete',
      storageClassName: spec.storageClassName ?? '',
      volumeMode: spec.volumeMode ?? 'Filesystem',
    },
  };
}
