// SPDX-License-Identifier: Apache-2.0
import { isApiError } from '@forge/kube/errors/api-error.ts';
import { PersistentVolume, PersistentVolumeClaim, StorageClass } from '@forge/kube/kinds/builtin.ts';
import { refOf, type ObjectRef } from '@forge/kube/objects/object.ts';
import { watch, type Controller, type ReconcileContext } from '@forge/runtime/controller/controller.ts';
import type { Duration } from '@forge/runtime/environment/duration.ts';
import { removeObject } from '../../objects/remove-object.ts';
import { writeStatus } from '../../objects/write-status.ts';

/** The driver of volumes that are folders on the node. */
const driver = 'local-folder.forge';

const watchVolumes = watch(PersistentVolume, ({ spec }) => {
  const { name, namespace } = spec?.claimRef ?? {};
  return name === undefined ? [] : [{ name, namespace }];
});

/**
 * Provisions and binds a volume for every PersistentVolumeClaim, and deletes it with the claim. Every class will do, unless the
 * cluster has StorageClasses: then a claim of another one stays pending.
 */
export const volumeBinder: Controller = {
  name: 'persistentvolume-binder',
  for: PersistentVolumeClaim,
  watches: [
    watchVolumes,
    watch(StorageClass, (_class, { cache }) =>
      cache
        .list(PersistentVolumeClaim)
        .filter(({ spec }) => spec?.volumeName === undefined)
        .map(refOf),
    ),
  ],

  async reconcile(ref, context): Promise<Duration | undefined> {
    const claim = await withoutOldVolumes(ref, context);
    if (claim !== undefined && hasClass(claim, context)) await bind(claim, context);
    return undefined;
  },
};

function hasClass({ spec }: PersistentVolumeClaim, { cache }: ReconcileContext): boolean {
  const classes = cache.list(StorageClass);
  const { storageClassName = '', volumeName } = spec ?? {};
  const needsNone = storageClassName === '' || volumeName !== undefined || classes.length === 0;
  return needsNone || classes.some(({ metadata }) => metadata.name === storageClassName);
}

/** Like the binder, but only provisions and deletes volumes, for a cluster whose kube-controller-manager binds them. */
export const volumeProvisioner: Controller = {
  ...volumeBinder,
  name: driver,
  watches: [watchVolumes],
  async reconcile(ref, context): Promise<Duration | undefined> {
    const claim = await withoutOldVolumes(ref, context);
    if (claim !== undefined && claim.spec?.volumeName === undefined) await ensureVolume(claim, context);
    return undefined;
  },
};

/** Deletes the volumes of earlier claims of this name; returns the claim, unless it is deleted or terminating. */
async function withoutOldVolumes(
  ref: ObjectRef,
  { cache, client }: ReconcileContext,
): Promise<PersistentVolumeClaim | undefined> {
  const claim = cache.get(PersistentVolumeClaim, ref);
  for (const volume of cache.list(PersistentVolume)) {
    const { name, namespace, uid } = volume.spec?.claimRef ?? {};
    const isOurs = volume.spec?.csi?.driver === driver && name === ref.name && namespace === ref.namespace;
    if (isOurs && uid !== claim?.metadata.uid) await removeObject(client, PersistentVolume, volume);
  }
  return claim?.metadata.deletionTimestamp === undefined && claim?.spec !== undefined ? claim : undefined;
}

/** The volume of a claim, created unless it exists; undefined when the claim names another that does not exist. */
async function ensureVolume(
  claim: PersistentVolumeClaim,
  { client, cache }: ReconcileContext,
): Promise<PersistentVolume | undefined> {
  const wanted = volumeFor(claim);
  const name = claim.spec?.volumeName ?? wanted.metadata.name;
  const existing = cache.get(PersistentVolume, { name });
  if (existing !== undefined || name !== wanted.metadata.name) return existing;
  return create(wanted, client);
}

async function bind(claim: PersistentVolumeClaim, context: ReconcileContext): Promise<void> {
  const { client } = context;
  let volume = await ensureVolume(claim, context);
  if (volume === undefined || !isFreeFor(claim, volume)) return;
  if (!volume.spec?.claimRef?.uid) volume = await reserve(volume, volumeFor(claim), client);
  if (!(await writeStatus(client, PersistentVolume, volume, { phase: 'Bound' }))) return;
  let bound = claim;
  if (claim.spec?.volumeName === undefined) {
    const { resourceVersion } = claim.metadata;
    bound = await client.patch(PersistentVolumeClaim, refOf(claim), 'merge', {
      metadata: { resourceVersion, annotations: { 'pv.kubernetes.io/bind-completed': 'yes' } },
      spec: { volumeName: volume.metadata.name },
    });
  }
  const { capacity = {}, accessModes = [] } = volume.spec ?? {};
  await writeStatus(client, PersistentVolumeClaim, bound, { phase: 'Bound', accessModes, capacity });
}

/**
 * Whether a claim can be bound to the volume that it names: the volume is not bound to or reserved for another claim.
 */
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
