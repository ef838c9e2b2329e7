// SPDX-License-Identifier: Apache-2.0
import { execFile, spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { client, type Client } from '@forge/kube/client/client.ts';
import { httpsTransport } from '@forge/kube/client/https-transport.ts';
import { readKubeconfig } from '@forge/kube/client/kubeconfig.ts';
import type { TestUser } from '@forge/testing/programs/ordinary-user.ts';
import { parse } from 'yaml';

const fileOf = (program: string) => fileURLToPath(new URL(`../${program}.mjs`, import.meta.url));
const run = promisify(execFile);

/** The result of a forge command. */
export interface Ended {
  code: number | null;
  output: string;
}

/** A forge process in the background. */
export interface ForgeProcess {
  pid: number;
  ended: Promise<Ended>;
  /** Resolves when the output contains this text; rejects when the process ends without it. */
  waitForOutput(text: string): Promise<void>;
  kill(signal: NodeJS.Signals): void;
}

/** Starts a forge command as a user would. */
export function startForge(...args: string[]): ForgeProcess {
  return startProgram(fileOf('forge'), ...args);
}

/** Starts a forge command as this user. */
export function startForgeAs({ prefix, env }: Pick<TestUser, 'prefix' | 'env'>, ...args: string[]): ForgeProcess {
  const [command = '', ...rest] = [...prefix, process.execPath, fileOf('forge'), ...args];
  return started(spawn(command, rest, { env }));
}

/** Starts a standalone API server as a user would. */
export function startApiServer(...args: string[]): ForgeProcess {
  return startProgram(fileOf('forge-apiserver'), ...args);
}

/** Starts an API server whose data folder is a disk of this many megabytes, visible to its process only. */
export function startOnSmallDisk(dir: string, megabytes: number, ...args: string[]): ForgeProcess {
  const script = `mkdir "$1" && mount -t tmpfs -o size=${megabytes}m tmpfs "$1" && shift && exec "$@"`;
  const command = [process.execPath, fileOf('forge-apiserver'), '--data', dir, ...args];
  const namespaces = ['--user', '--map-root-user', '--mount'];
  return started(spawn('unshare', [...namespaces, 'sh', '-c', script, 'sh', dir, ...command]));
}

/** Starts a program of Forge from its file. */
export function startProgram(file: string, ...args: string[]): ForgeProcess {
  return started(spawn(process.execPath, [file, ...args]));
}

function started(child: ChildProcessWithoutNullStreams): ForgeProcess {
  child.stdin.end();
  const awaited = new Map<string, () => void>();
  let output = '';
  const onOutput = (chunk: Buffer) => {
    output += chunk.toString();
    for (const [text, found] of awaited) if (output.includes(text)) found();
  };
  child.stdout.on('data', onOutput);
  child.stderr.on('data', onOutput);
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, output }));
  return {
    pid: child.pid ?? 0,
    ended,
    async waitForOutput(text) {
      const found = new Promise<void>((resolve) => {
        awaited.set(text, resolve);
        if (output.includes(text)) resolve();
      });
      const first = await Promise.race([found, ended]);
      if (first !== undefined)
        throw new Error(`forge exited with ${first.code} without printing "${text}":\n${first.output}`);
    },
    kill: (signal) => void child.kill(signal),
  };
}

/** Runs with a client of the cluster of a kubeconfig. */
export async function withClient<T>(kubeconfig: string, use: (api: Client) => Promise<T>): Promise<T> {
  const connection = await readKubeconfig([kubeconfig], (path) => readFile(path, 'utf8'));
  const transport = httpsTransport(connection);
  try {
    return await use(client(transport));
  } finally {
    await transport.close();
  }
}

/** Runs kubectl against the cluster of a data folder. */
export async function kubectl(dataDir: string, ...args: string[]): Promise<string> {
  const { stdout } = await run('kubectl', ['--kubeconfig', join(dataDir, 'kubeconfig'), ...args]);
  return stdout;
}

/** A process of the host. */
export interface HostProcess {
  pid: number;
  parent: number;
  startTime: string;
  args: string;
}

/** The processes of the host, those in other namespaces included. */
export async function hostProcesses(): Promise<HostProcess[]> {
  const { stdout } = await run('ps', ['-eo', 'pid=,ppid=,lstart=,args=']);
  return stdout.split('\n').flatMap((line) => {
    const [, pid, parent, startTime = '', args = ''] = /^ *(\d+) +(\d+) (.{24}) (.*)$/.exec(line) ?? [];
    return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), startTime, args }];
  });
}

/** All processes that descend from this one. */
export async function descendantsOf(pid: number): Promise<HostProcess[]> {
  const all = await hostProcesses();
  const found = all.filter(({ parent }) => parent === pid);
  for (const { pid: next } of found) found.push(...all.filter(({ parent }) => parent === next));
  return found;
}

/** What a forge process could leave behind on the host: interfaces, routes, mounts and processes. */
export async function hostState(): Promise<{ links: string; routes: string; mounts: string; processes: string[] }> {
  const [links, routes, mounts, processes] = await Promise.all([
    readFile('/proc/net/dev', 'utf8').then((text) => text.replaceAll(/:.*/g, '')),
    readFile('/proc/net/route', 'utf8'),
    readFile('/proc/self/mounts', 'utf8'),
    hostProcesses(),
  ]);
  const ours = processes.filter(({ args }) => /mariadbd|memcached|uwsgi|bao server|bwrap|unshare/.test(args));
  const left = ours.filter((each) => !hasForge(each, processes));
  return { links, routes, mounts, processes: left.map(({ args }) => args).toSorted() };
}

/** Whether it is, or descends from, a running program in JavaScript, such as another forge. */
function hasForge({ parent, args }: HostProcess, all: readonly HostProcess[]): boolean {
  // The node process of a cluster does not count: it must exit with its forge.
  if (/^(?:\S*\/)?node /.test(args) && !args.includes('cluster/node/main.ts')) return true;
  const found = all.find(({ pid }) => pid === parent);
  return found !== undefined && hasForge(found, all);
}

/** Keystone's URL and the administrator's password, from the files that `forge up` writes. */
export async function loginOf(dir: string): Promise<{ url: string; password: string }> {
  const { clouds } = parse(await readFile(join(dir, 'clouds.yaml'), 'utf8')) as {
    clouds: { forge: { auth: { auth_url: string; password: string } } };
  };
  return { url: clouds.forge.auth.auth_url, password: clouds.forge.auth.password };
}

/** Runs with a data folder that is removed afterwards. */
export async function withDataFolder(use: (dir: string) => Promise<void>): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'forge-e2e-'));
  try {
    await use(dir);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
