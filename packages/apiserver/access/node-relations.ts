// SPDX-License-Identifier: Apache-2.0
import type { PersistentVolume, Pod, ResourceSlice, VolumeAttachment } from '@forge/kube/kinds/builtin.ts';
import type { Store } from '../storage/store.ts';
import {
  claimNamesOf,
  configMapNamesOf,
  isMirrorPod,
  resourceClaimNamesOf,
  secretNamesOf,
  volumeSecretsOf,
} from './pod-references.ts';

/** Namespace and name of an object. */
interface Ref {
  readonly namespace: string;
  readonly name: string;
}

/** Whether a node needs an object for what runs on it. */
type Relation = (store: Store, node: string, ref: Ref) => boolean;

type NamesIn = (pod: Pod) => Iterable<string | undefined>;

/** The relations of nodes to objects, by resource. */
export const nodeRelations = {
  pods: (store, node, { namespace, name }) => {
    const pod = store.current.objects.get(`pods/${namespace}/${name}`)?.value as Pod | undefined;
    return pod?.spec?.nodeName === node;
  },
  secrets: (store, node, ref) =>
    isUsed(secretNamesOf)(store, node, ref) ||
    volumes(store).some((volume) => names(volume, ref) && isMounted(store, node, volume)),
  configmaps: isUsed(configMapNamesOf),
  serviceaccounts: isUsed(({ spec }) => [spec?.serviceAccountName]),
  persistentvolumeclaims: isUsed(claimNamesOf),
  persistentvolumes: (store, node, { name }) => {
    const volume = store.current.objects.get(`persistentvolumes//${name}`)?.value as PersistentVolume | undefined;
    return volume !== undefined && isMounted(store, node, volume);
  },
  resourceclaims: isUsed(resourceClaimNamesOf),
  volumeattachments: (store, node, { name }) => {
    const stored = store.current.objects.get(`volumeattachments.storage.k8s.io//${name}`);
    return (stored?.value as VolumeAttachment | undefined)?.spec.nodeName === node;
  },
  resourceslices: (store, node, { name }) => {
    const stored = store.current.objects.get(`resourceslices.resource.k8s.io//${name}`);
    return (stored?.value as ResourceSlice | undefined)?.spec.nodeName === node;
  },
} satisfies Record<string, Relation>;

/** Whether a pod on the node references the object. Mirror pods do not count: the node itself creates them. */
function isUsed(namesIn: NamesIn): Relation {
  return (store, node, { namespace, name }) => {
    for (const { value } of store.current.objects.withPrefix(`pods/${namespace}/`)) {
      const pod = value as Pod;
      if (pod.spec?.nodeName !== node || isMirrorPod(pod)) continue;
      for (const each of namesIn(pod)) if (each === name) return true;
    }
    return false;
  };
}

function isMounted(store: Store, node: string, { spec }: PersistentVolume): boolean {
  const { namespace = '', name = '' } = spec?.claimRef ?? {};
  return isUsed(claimNamesOf)(store, node, { namespace, name });
}

function volumes({ current }: Store): PersistentVolume[] {
  return Array.from(current.objects.withPrefix('persistentvolumes//'), ({ value }) => value as PersistentVolume);
}

function names(volume: PersistentVolume, { namespace, name }: Ref): boolean {
  return (
    volume.spec?.claimRef !== undefined &&
    [...volumeSecretsOf(volume)].some((secret) => secret.name === name && secret.namespace === namespace)
  );
}
