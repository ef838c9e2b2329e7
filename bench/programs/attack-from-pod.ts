// SPDX-License-Identifier: Apache-2.0
// Attacks the cluster from a pod without rights, in every way that tests know, again and again until it is killed:
// `node attack-from-pod.ts FOLDER`, where FOLDER is writable. Prints a line when everything has been tried once.
import { spawn } from 'node:child_process';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { Agent, request } from 'node:https';
import { createConnection } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Attack } from '@forge/apiserver/test/heartbeat/attack.ts';
import { attacks } from '@forge/apiserver/test/heartbeat/attacks.ts';
import { writePrograms } from '@forge/cluster/node/test/escapes/call-attempts.ts';

const [folder = '/work'] = process.argv.slice(2);
const token = await readFile('/var/run/secrets/kubernetes.io/serviceaccount/token', 'utf8');
const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });
const programs = await writePrograms(folder);
const [calls = '', exhaust = ''] = programs.map(({ source }) => source);

/** How many requests are sent at the same time. */
const senders = 4;

/** What is done at the same time, each again and again. */
const works: Record<string, () => Promise<unknown>> = {
  ...Object.fromEntries(Array.from({ length: senders }, (_, index) => [`requests ${index}`, () => sendPart(index)])),
  'system calls': async () => {
    for (const name of await readdir(calls)) await run(`${calls}/${name} /bin/true`);
  },
  'connections to the API server': () => run(`${exhaust}/connect-relay /bin/sleep 5`),
  'connections to the kubelet': () => run(`${exhaust}/connect-kubelet /bin/sleep 5`),
  processes: () => run('for i in $(seq 6000); do sleep 5 & done'),
  // With what the others leave. Ends all of them even when it cannot start as many.
  'processor time': () =>
    run('trap "kill 0" EXIT; for i in $(seq 16); do nice -n 19 sh -c "while :; do :; done" & done; sleep 5'),
  'an emptyDir': () => run(`dd if=/dev/zero of=${folder}/fill bs=1M count=100000; rm ${folder}/fill`),
  'shared memory': () => run('dd if=/dev/zero of=/dev/shm/fill bs=1M count=100000; rm /dev/shm/fill'),
  'nested folders': () =>
    run(`cd ${folder}; rm -rf nested; mkdir nested; cd nested && ${exhaust}/nest-folders /bin/true`),
  names: resolveNames,
  'Services and nodes': connectEverywhere,
  'kernel files': () => run('for f in $(ls -d /proc/sys/kernel/*); do cat "$f"; echo 1 > "$f"; done'),
};

const first = Object.entries(works).map(([name, work]) => {
  const { promise, resolve } = Promise.withResolvers<string>();
  void repeat(work, () => resolve(name));
  return promise;
});
await Promise.all(first.map(async (name) => console.log(`tried: ${await name}`)));
console.log('everything was tried');

async function repeat(work: () => Promise<unknown>, onTried: () => void): Promise<never> {
  for (;;) {
    await work().catch(() => undefined);
    onTried();
    await setTimeout(10);
  }
}

/** Runs a script; it may fail. */
async function run(script: string): Promise<void> {
  const child = spawn('/bin/sh', ['-c', script], { stdio: 'ignore', detached: true });
  await once(child, 'close').catch(() => undefined);
}

/** Sends part of all requests that a user without rights may send. */
async function sendPart(part: number): Promise<void> {
  const all = attacks.filter(({ by }) => by === 'nobody');
  for (const attack of all.filter((_, index) => index % senders === part)) await send(attack).catch(() => undefined);
}

async function send({ method, path, headers, body }: Attack): Promise<void> {
  const content = body?.() ?? '';
  const sent = request(`https://kubernetes.default.svc${path}`, {
    method,
    agent,
    headers: { authorization: `Bearer ${token}`, ...headers, 'content-length': Buffer.byteLength(content) },
    timeout: 30_000,
  });
  sent.end(content);
  const [response] = (await once(sent, 'response')) as [NodeJS.ReadableStream];
  for await (const _ of response);
}

/** Asks for more names than a cluster has. */
async function resolveNames(): Promise<void> {
  const resolver = new Resolver();
  const names = Array.from({ length: 200 }, (_, index) => `name-${index}.default.svc.cluster.local`);
  await Promise.allSettled(names.map((name) => resolver.resolve4(name)));
}

/** Connects to addresses of Services and nodes, and holds the connections for a while. */
async function connectEverywhere(): Promise<void> {
  const sockets = Array.from({ length: 500 }, (_, index) => {
    const host = ['10.96.0.1', '10.96.0.10', '10.244.0.1'][index % 3] ?? '';
    return createConnection({ host, port: [443, 53, 10_250][index % 3] ?? 0 }).on('error', () => undefined);
  });
  await setTimeout(1000);
  for (const socket of sockets) socket.destroy();
}
