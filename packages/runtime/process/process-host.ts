// SPDX-License-Identifier: Apache-2.0
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { Connection, ReadFile } from '@forge/kube/client/connection.ts';
import { httpsTransport, type HttpsTransport } from '@forge/kube/client/https-transport.ts';
import { tokenFile } from '@forge/kube/client/token-file.ts';
import { systemRandom, type Random } from '../random/random.ts';
import { systemClock, type Clock } from '../time/clock.ts';
import { onStopSignal } from './on-stop-signal.ts';
import type { ProcessUsage } from './process-metrics.ts';

/** The surroundings of a process, all of them. */
export interface ProcessHost {
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly hostname: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly readFile: ReadFile;
  /** Where answers to the user go. */
  print(text: string): void;
  /** Where log lines go. */
  readonly output: { write(text: string): void; readonly isTerminal: boolean };
  connect(connection: Connection): HttpsTransport;
  /** What the process has used so far. */
  usage(): ProcessUsage;
  /** Aborts when the process shall end. */
  readonly shutdown: AbortSignal;
}

const read: ReadFile = (path) => readFile(path, 'utf8');

/** The surroundings of this process. The first SIGTERM or SIGINT asks it to end, a later one ends it. */
export function systemHost(): ProcessHost {
  const ending = new AbortController();
  onStopSignal(() => ending.abort());
  return {
    args: process.argv.slice(2),
    environment: process.env,
    hostname: hostname(),
    clock: systemClock,
    random: systemRandom,
    readFile: read,
    print: (text) => console.log(text),
    output: { write: (text) => void process.stderr.write(text), isTerminal: process.stderr.isTTY },
    connect({ tokenFile: file, ...connection }) {
      const token = file === undefined ? {} : { token: tokenFile(file, read, () => systemClock.now()) };
      return httpsTransport({ ...connection, ...token });
    },
    usage() {
      const { user, system } = process.cpuUsage();
      return {
        cpuSeconds: (user + system) / 1e6,
        residentBytes: process.memoryUsage.rss(),
        startSeconds: performance.timeOrigin / 1000,
      };
    },
    shutdown: ending.signal,
  };
}
