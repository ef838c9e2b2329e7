// SPDX-License-Identifier: Apache-2.0
import type { EventRecorder } from '@forge/runtime/events/event-recorder.ts';
import type { AssembledImage } from '../images/image-store.ts';
import type { ContainerRuntime } from './container-runtime.ts';
import type { Network } from './network.ts';
import type { watchedObjects, WatchContext } from './watched-objects.ts';

/** What the node offers to each of its pods. */
export interface PodContext extends WatchContext {
  network: Network;
  runtime: ContainerRuntime;
  objects: ReturnType<typeof watchedObjects>;
  event: EventRecorder;
  ensureImage: (reference: string) => Promise<AssembledImage>;
  /** In memory: one folder per pod. */
  podsFolder: string;
  volumesDir: string;
  logsDir: string;
}
