// SPDX-License-Identifier: Apache-2.0
import type { Service } from '@forge/kube/kinds/builtin.ts';
import type { EventRecorder } from '@forge/runtime/events/event-recorder.ts';
import type { AssembledImage } from '../../images/image-store.ts';
import type { watchedObjects, WatchContext } from '../../objects/watched-objects.ts';
import type { ContainerRuntime } from '../containers/container-runtime.ts';
import type { Network } from '../network/network.ts';
import type { NetworkPolicies } from '../policies/network-policies.ts';
import type { PodStorage } from '../volumes/pod-storage.ts';

/** What the node provides to its pods. */
export interface PodContext extends WatchContext {
  network: Network;
  /** Undefined where the kernel cannot enforce them. */
  policies: NetworkPolicies | undefined;
  runtime: ContainerRuntime;
  objects: ReturnType<typeof watchedObjects>;
  /** The current Services of the cluster. */
  services: () => readonly Service[];
  event: EventRecorder;
  /** `onPulling` is called when the image must be assembled first. */
  ensureImage: (reference: string, onPulling: () => void) => Promise<AssembledImage>;
  /** Where the storage of pods is, one folder per pod. */
  podsFolder: string;
  storage: PodStorage;
  volumesDir: string;
  logsDir: string;
}
