// SPDX-License-Identifier: Apache-2.0
import type { LogEntry } from '@forge/runtime/observability/logger.ts';
import type { Cgroup } from '../host/cgroups.ts';
import type { AssembledImage } from '../images/image-store.ts';

/** The settings of the node process; sent over the IPC channel, because arguments are visible in the process list. */
export interface NodeSettings {
  name: string;
  runDir: string;
  volumesDir: string;
  logsDir: string;
  apiServerSocket: string;
  credentials: { ca: string; cert: string; key: string };
  serving: { cert: string; key: string };
  /** The root folder of the tools image. */
  toolsRoot: string;
  /** Undefined when this user cannot limit the resources of pods. */
  cgroup: Cgroup | undefined;
  /** The folder of the control group that it enters, beside that of the pods. */
  ownGroup: string | undefined;
}

/** From the forge process to the node process. */
export type ToNode =
  | { type: 'begin'; settings: NodeSettings }
  | { type: 'pulling'; id: number }
  | { type: 'image'; id: number; image: AssembledImage }
  | { type: 'imageFailed'; id: number; message: string }
  | { type: 'stop' };

/** From the node process to the forge process. */
export type FromNode =
  | { type: 'started' }
  | { type: 'log'; entry: LogEntry }
  | { type: 'needImage'; id: number; reference: string };
