// SPDX-License-Identifier: Apache-2.0
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { Connection, ReadFile } from '@forge/kube/client/connection.ts';
import { httpsTransport, type HttpsTransport } from '@forge/kube/client/https-transport.ts';
import { tokenFile } from '@forge/kube/client/token-file.ts';
import { systemClock, type Clock } from '../environment/clock.ts';
import { systemRandom, type Random } from '../environment/random.ts';
import { onStopSignal } from './on-stop-signal.ts';
import type { ProcessUsage } from './process-metrics.ts';

/** Everything that a process uses of its host. */
export interface ProcessHost {
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly hostname: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly readFile: ReadFile;
  /** Prints to standard output. */
  print(text: string): void;
  /** The log output. */
  readonly output: { write(text: string): void; readonly isTerminal: boolean };
  connect(connection: Connection): HttpsTransport;
  /** The resource usage of the process. */
  usage(): ProcessUsage;
  /** Aborts when the process should shut down. */
  readonly shutdown: AbortSignal;
}

const read: ReadFile = (path) => readFile(path, 'utf8');

/** The host of this process. The first SIGTERM or SIGINT starts a graceful shutdown, a second one exits. */
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
