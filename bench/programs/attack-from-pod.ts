// SPDX-License-Identifier: Apache-2.0
// Attacks the cluster from a pod without rights, in every way that tests know, again and again until it is killed:
// `node attack-from-pod.ts FOLDER`, where FOLDER is writable. Prints a line when everything has been tried once, and how
// many requests have been answered as expected by then: a request that ends early attacks nothing.
import { spawn } from 'node:child_process';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Attack } from '@forge/apiserver/test/heartbeat/attack.ts';
import { send } from '@forge/apiserver/test/heartbeat/attacker.ts';
import { attacks } from '@forge/apiserver/test/heartbeat/attacks.ts';
import { writePrograms } from '@forge/cluster/node/test/escapes/call-attempts.ts';
import { kernelFiles } from '@forge/cluster/node/test/escapes/process-attempts.ts';

const [folder = '/work'] = process.argv.slice(2);
const token = await readFile('/var/run/secrets/kubernetes.io/serviceaccount/token', 'utf8');
const programs = await writePrograms(folder);
const [calls = '', exhaust = '', trace = ''] = programs.map(({ source }) => source);

/** The requests that have been sent, and those with an answer that tests expect. */
const answered = { all: 0, expected: 0 };

/** The requests that a user without rights may send, and how many of them are sent at the same time. */
const hostile = attacks.filter(({ by }) => by === 'nobody');
const senders = 4;
/** Milliseconds for which requests are sent before it is the turn of idle connections. */
const turn = 20_000;

/** What is done at the same time, each again and again. */
const works: Record<string, () => Promise<unknown>> = {
  'requests and connections': sendAndConnect,
  'system calls': async () => {
    for (const name of await readdir(calls)) await run(`${calls}/${name} /bin/true`);
  },
  processes: () => run('for i in $(seq 6000); do sleep 5 & done'),
  // With what the others leave. Ends all of them even when it cannot start as many.
  'processor time': () =>
    run('trap "kill 0" EXIT; for i in $(seq 16); do nice -n 19 sh -c "while :; do :; done" & done; sleep 5'),
  'an emptyDir': () => run(`dd if=/dev/zero of=${folder}/fill bs=1M count=100000; rm ${folder}/fill`),
  'shared memory': () => run('dd if=/dev/zero of=/dev/shm/fill bs=1M count=100000; rm /dev/shm/fill'),
  'nested folders': () =>
    run(`cd ${folder}; rm -rf nested; mkdir nested; cd nested && ${exhaust}/nest-folders /bin/true`),
  'other processes': () => run(`sleep 5 & ${trace}/seize-all /bin/true; kill $!`),
  names: resolveNames,
  'kernel files': () => run(`for f in $(ls -d /proc/sys/kernel/*); do cat "$f"; echo 1 > "$f"; done\n${kernelFiles}`),
};

const first = Object.entries(works).map(([name, work]) => {
  const { promise, resolve } = Promise.withResolvers<string>();
  void repeat(work, () => resolve(name));
  return promise;
});
await Promise.all(first.map(async (name) => console.log(`tried: ${await name}`)));
console.log('everything was tried');
console.log(`expected answers: ${answered.expected} of ${answered.all}`);

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

/**
 * Sends all requests, and opens as many connections as it can in between. Both at once would be neither: the connections of
 * a pod are limited, and idle ones would leave none for its requests.
 */
async function sendAndConnect(): Promise<void> {
  const left = hostile.values();
  for (let sent = 0; sent < hostile.length;) {
    const end = Date.now() + turn;
    const sending = Array.from({ length: senders }, async () => {
      while (Date.now() < end) {
        const { value: attack } = left.next();
        if (attack === undefined) return;
        await sendAttack(attack);
        sent += 1;
      }
    });
    await Promise.all(sending);
    const idle = ['relay', 'kubelet'].map((target) => run(`${exhaust}/connect-${target} /bin/sleep 5`));
    await Promise.all([...idle, connectEverywhere()]);
  }
}

/** Sends a request as the test of it does; it may fail, and an answer is not awaited for long. */
async function sendAttack({ method, path, headers, body, inBytes, pipelined, status }: Attack): Promise<void> {
  const sent = send({
    url: `https://kubernetes.default.svc${path}`,
    method,
    headers: { authorization: `Bearer ${token}`, ...headers },
    body: body?.(),
    inBytes,
    pipelined,
  });
  const reply = await Promise.race([sent, setTimeout(30_000)]).catch(() => undefined);
  answered.all += 1;
  if ([status].flat().includes(reply?.status ?? 0)) answered.expected += 1;
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
