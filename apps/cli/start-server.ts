// SPDX-License-Identifier: Apache-2.0
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { apiServer } from '@forge/apiserver/api-server.ts';
import { durableStorage } from '@forge/apiserver/storage/durable-storage.ts';
import { serve, type ListeningServer } from '@forge/apiserver/wire/serve.ts';
import type { Connection } from '@forge/kube/client/connection.ts';
import { kubeconfig } from '@forge/kube/client/kubeconfig.ts';
import { systemClock } from '@forge/runtime/environment/clock.ts';
import { systemRandom } from '@forge/runtime/environment/random.ts';
import { readFileIfExists } from '@forge/runtime/process/read-file-if-exists.ts';
import { loadOrCreateAuthority, newAuthority } from './credentials/authority.ts';
import { serverCredentials } from './credentials/server-credentials.ts';
import { loadOrCreateSigningKey, newSigningKey } from './credentials/signing-key.ts';
import { acquireDataFolder } from './data/acquire-data-folder.ts';
import { openDataFolder } from './data/data-folder.ts';
import { writePrivateFile } from './data/write-private-file.ts';
import { CliError } from './terminal/cli-error.ts';
import { terminalLog } from './terminal/terminal-log.ts';

/** Options of a standalone API server. */
export interface ServerOptions {
  /** 0 picks a free port. */
  port: number;
  /** Where objects are stored; in memory when unset. */
  data?: string | undefined;
  /** Where the administrator's kubeconfig is written. */
  kubeconfig?: string | undefined;
  /** Called when `forge down` asks for the data folder. */
  onDown: () => void;
}

/** A running server. */
export interface RunningServer {
  url: string;
  /** Absolute path. */
  kubeconfig: string;
  stop(): Promise<void>;
}

/** Starts an API server on loopback and writes its kubeconfig. On failure, everything already started is stopped. */
export async function startServer({ port, data, onDown, ...options }: ServerOptions): Promise<RunningServer> {
  const [clock, random] = [systemClock, systemRandom];
  const stack = new AsyncDisposableStack();
  try {
    const folder = data === undefined ? undefined : await openDataFolder(data);
    if (folder !== undefined) stack.use(await acquireDataFolder({ pid: process.pid, dir: folder.dir }, onDown));
    const authority =
      folder === undefined ? newAuthority(clock) : await loadOrCreateAuthority(folder.path('pki'), clock);
    const { ca, apiServer: serving, admin } = serverCredentials(authority, clock);
    const log = terminalLog(clock);
    const storage = folder === undefined ? {} : { storage: await durableStorage(folder.path('state'), { log }) };
    const signingKey = folder === undefined ? newSigningKey() : await loadOrCreateSigningKey(folder.path('pki'));
    const server = await apiServer({ clock, random, log, ...storage, authority: ca, serviceAccounts: { signingKey } });
    stack.defer(() => server.close());
    const listener = await listen(port, () => serve(server, { port, tls: { ...serving, clientCa: ca } }));
    stack.defer(() => listener.close());

    const url = `https://127.0.0.1:${listener.port}`;
    const file = resolve(options.kubeconfig ?? folder?.path('kubeconfig') ?? (await temporaryFile(stack)));
    await writeKubeconfig(file, { server: url, ca, ...admin });
    const owned = stack.move();
    return { url, kubeconfig: file, stop: () => owned.disposeAsync() };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

const name = 'forge-apiserver';
/** kubectl drops the quotes when it edits the file. */
const isOurs = new RegExp(`^current-context: "?${name}"?$`, 'm');

/** Overwrites an older kubeconfig of this program, never one of another program. */
async function writeKubeconfig(file: string, connection: Connection): Promise<void> {
  const found = (await readFileIfExists(file))?.toString();
  if (found !== undefined && !isOurs.test(found)) {
    throw new CliError(
      `${file} was not written by forge-apiserver and is not overwritten; choose a new file with --kubeconfig.`,
    );
  }
  await writePrivateFile(file, kubeconfig({ name, ...connection }));
}

async function listen(port: number, start: () => Promise<ListeningServer>): Promise<ListeningServer> {
  try {
    return await start();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') throw new CliError(`Port ${port} is in use; choose another one with --port.`);
    if (code === 'EACCES') throw new CliError(`Port ${port} needs privileges; choose one above 1023 with --port.`);
    throw error;
  }
}

/** A kubeconfig in a temporary folder that is removed when the server stops. */
async function temporaryFile(stack: AsyncDisposableStack): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'forge-apiserver-'));
  stack.defer(() => rm(dir, { recursive: true, force: true }));
  return join(dir, 'kubeconfig');
}
