// SPDX-License-Identifier: Apache-2.0
import type { Service } from '@forge/kube/kinds/builtin.ts';
import type { EventRecorder } from '@forge/runtime/events/event-recorder.ts';
import type { AssembledImage } from '../../images/image-store.ts';
import type { watchedObjects, WatchContext } from '../../objects/watched-objects.ts';
import type { ContainerRuntime } from '../containers/container-runtime.ts';
import type { Network } from '../network/network.ts';
import type { NetworkPolicies } from '../policies/network-policies.ts';
import type { PodStorage } from '../volumes/pod-storage.ts';
import type { StoragePressure } from '../volumes/storage-pressure.ts';

/** What the node provides to its pods. */
export interface PodContext extends WatchContext {
  network: Network;
  /** Undefined when the kernel cannot enforce them. */
  policies: NetworkPolicies | undefined;
  runtime: ContainerRuntime;
  objects: ReturnType<typeof watchedObjects>;
  /** The current Services of the cluster. */
  services: () => readonly Service[];
  event: EventRecorder;
  /**
   * Asks the forge process for an image, since the node's network is isolated: `node/spawn-node.ts` answers there.
   * `onPulling` is called when the image must be assembled first.
   */
  requestImage: (reference: string, onPulling: () => void) => Promise<AssembledImage>;
  /** The folder with the storage of pods, one folder per pod. */
  podsFolder: string;
  storage: PodStorage;
  pressure: StoragePressure;
  volumesDir: string;
  logsDir: string;
}
