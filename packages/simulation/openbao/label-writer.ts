// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import { isApiError } from '@forge/kube/errors/api-error.ts';
import { Pod } from '@forge/kube/kinds/builtin.ts';
import { refOf } from '@forge/kube/objects/object.ts';
import type { Clock } from '@forge/runtime/environment/clock.ts';
import { seconds, type Duration } from '@forge/runtime/environment/duration.ts';
import { isInitialised, type Server } from './server.ts';

/** Writes what a server is on the labels of its pod, one label at a time. */
export interface LabelWriter {
  /** The server that it describes. */
  follow(server: Server): void;
  /** The server has changed. */
  changed(): void;
  /** Uses another client from now on. */
  writeWith(client: Client): void;
}

const retryAfter = seconds(5);

/** A writer for the labels of this pod; `delay` is how long a change takes. */
export function labelWriter(
  pod: Pod,
  { client, clock, delay }: { client: Client; clock: Clock; delay: () => Duration },
): LabelWriter {
  let current = client;
  let server: Server | undefined;
  let written: Readonly<Record<string, string>> = {};
  let isBusy = false;

  async function write(): Promise<void> {
    if (isBusy || server === undefined) return;
    isBusy = true;
    try {
      for (let rest = missing(server, written); rest !== undefined; rest = missing(server, written)) {
        const labels = Object.keys(written).length === 0 ? labelsOf(server) : Object.fromEntries([rest]);
        // Never those of another pod with its name.
        await current.patch(Pod, refOf(pod), 'merge', { metadata: { uid: pod.metadata.uid, labels } });
        written = { ...written, ...labels };
      }
    } catch (error) {
      const isGone = isApiError(error, 'NotFound') || isApiError(error, 'Conflict');
      if (!isGone) clock.after(retryAfter, () => void write());
    } finally {
      isBusy = false;
    }
  }

  const later = () => void clock.after(delay(), () => void write());
  return {
    follow(started) {
      server = started;
      later();
    },
    changed: later,
    writeWith: (next) => (current = next),
  };
}

function missing(server: Server, written: Readonly<Record<string, string>>): [string, string] | undefined {
  return Object.entries(labelsOf(server)).find(([label, value]) => written[label] !== value);
}

function labelsOf(server: Server): Record<string, string> {
  return {
    'openbao-active': String(server.leads),
    'openbao-initialized': String(isInitialised(server) && (server.isServing || server.isEnded)),
    'openbao-perf-standby': 'false',
    'openbao-sealed': String(!server.isUnsealed),
    'openbao-version': server.options.version,
  };
}
