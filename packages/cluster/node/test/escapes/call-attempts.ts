// SPDX-License-Identifier: Apache-2.0
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { launcher, type SystemCall } from '../../confinement/launcher.ts';
import { thisMachine } from '../../confinement/machine.ts';
import { afterInit, alone, atV, canary, escaped, scripted, type Attempt } from './attempt.ts';
import { exhaustingCalls } from './limit-attempts.ts';
import { tracingCalls } from './trace-attempts.ts';

const text = (value: string) => () => Buffer.from(`${value}\0`);
const bytes = (length: number, ...words: number[]) => {
  const data = Buffer.alloc(length);
  words.forEach((word, index) => data.writeUInt32LE(word, 4 * index));
  return () => data;
};
const sessionKeyring = 2 ** 32 - 3;
const [keyType, keyName] = [text('user'), text('forge-canary')];

const joinKeyring: SystemCall = { number: { x64: 250, arm64: 219 }, arguments: [1, 0] };

/** Adds a key to the session keyring of the user who starts the node. */
const addCanary: SystemCall = {
  number: { x64: 248, arm64: 217 },
  arguments: [keyType, keyName, text(canary), canary.length, sessionKeyring],
};

/** Searches for that key in the session keyring of a process. */
const findCanary: SystemCall = {
  number: { x64: 250, arm64: 219 },
  arguments: [10, sessionKeyring, keyType, keyName, 0],
};

/** System calls that must fail in every container. */
const calls: Readonly<Record<string, SystemCall>> = {
  'find-canary': findCanary,
  'request-canary': { number: { x64: 249, arm64: 218 }, arguments: [keyType, keyName, 0, 0] },
  'add-key': {
    number: { x64: 248, arm64: 217 },
    arguments: [keyType, text('of-a-pod'), text('x'), 1, sessionKeyring],
  },
  'join-keyring': joinKeyring,
  'vsock-socket': { number: { x64: 41, arm64: 198 }, arguments: [40, 1, 0] },
  'io-uring': { number: { x64: 425, arm64: 425 }, arguments: [4, bytes(120)] },
  userfaultfd: { number: { x64: 323, arm64: 282 }, arguments: [1] },
  'bpf-map': { number: { x64: 321, arm64: 280 }, arguments: [0, bytes(72, 2, 4, 4, 1), 72] },
  'unshare-user': { number: { x64: 272, arm64: 97 }, arguments: [0x1000_0000] },
  'unshare-nothing': { number: { x64: 272, arm64: 97 }, arguments: [0] },
  'kernel-log': { number: { x64: 103, arm64: 116 }, arguments: [10, 0, 0] },
  'open-tree': { number: { x64: 428, arm64: 428 }, arguments: [2 ** 32 - 100, text('/'), 0] },
  'compare-process': { number: { x64: 312, arm64: 272 }, arguments: [1, 1, 1, 0, 0] },
  'x32-getpid': { number: { x64: 0x4000_0027, arm64: 0x4000_0027 }, arguments: [] },
  'personality-bits': { number: { x64: 135, arm64: 92 }, arguments: [0x40_0000] },
};

/** Writes a program that executes its arguments with a session keyring that contains a key. */
export function writeKeyHolder(path: string): Promise<void> {
  return writeCall(path, joinKeyring, addCanary);
}

/** Writes the programs of attempts, which execute their arguments when their calls succeed; returns their folders. */
export async function writePrograms(parent: string): Promise<{ source: string; target: string }[]> {
  const single = Object.fromEntries(Object.entries(calls).map(([name, call]) => [name, [call]]));
  const programs = { calls: single, exhaust: exhaustingCalls, trace: tracingCalls };
  const folders = Object.entries(programs).map(async ([name, each]) => {
    const source = join(parent, name);
    await mkdir(source);
    for (const [program, made] of Object.entries(each)) await writeCall(join(source, program), ...made);
    return { source, target: `/${name}` };
  });
  return Promise.all(folders);
}

/** Writes a program of system calls. */
async function writeCall(path: string, ...made: readonly SystemCall[]): Promise<void> {
  const program = launcher(thisMachine(), made);
  // The kernel writes to the data of some calls.
  program.writeUInt32LE(7, 68);
  await writeFile(path, program, { mode: 0o755 });
}

/** Makes all of them, and looks at its own filter. */
export const makeCalls = `for call in /calls/*; do "$call" /bin/echo ${escaped} "$call"; done
sed -n '/^Seccomp:.*[01]$/s/^/${escaped} /p' /proc/self/status`;
/** Makes the calls in another process of the container, and prints their output once it has ended. */
const callAside = scripted('aside', `(${makeCalls}\necho called) > /v/out; echo x > /v/done`);
const whenCalled = 'until [ -s /v/done ]; do sleep 0.1; done; sleep 1; cat /v/out';
const asRoot = { securityContext: { runAsUser: 0 } };
const unconfined = { securityContext: { seccompProfile: { type: 'Unconfined' } } };

/** System calls that reach beyond every namespace, and the profiles that would allow them. */
export const callAttempts: readonly Attempt[] = [
  { name: 'system calls', spec: () => alone(makeCalls) },
  { name: 'system calls, as root', spec: () => alone(makeCalls, asRoot) },
  {
    name: 'system calls, by an init container and by a probe',
    ends: /^called$/m,
    spec: () => ({
      ...afterInit(makeCalls, whenCalled, {
        ...asRoot,
        volumeMounts: [atV],
        startupProbe: {
          exec: { command: callAside.command ?? [] },
          timeoutSeconds: 30,
          failureThreshold: 100,
        },
      }),
    }),
  },
  {
    name: 'system calls, by a hook',
    ends: /^called$/m,
    spec: () => ({
      ...afterInit('true', whenCalled, {
        volumeMounts: [atV],
        lifecycle: {
          postStart: {
            exec: { command: callAside.command ?? [] },
          },
        },
      }),
    }),
  },
  {
    name: 'system calls, by an ephemeral container',
    spec: () => alone('sleep 120'),
    ephemeral: scripted('debug', makeCalls, asRoot),
  },
  {
    name: 'an Unconfined profile, in a namespace without a Pod Security level',
    spec: () => alone(makeCalls, unconfined),
    ends: /needs a namespace with the label/,
  },
  {
    name: 'a Localhost profile',
    spec: () =>
      alone(makeCalls, {
        securityContext: { seccompProfile: { type: 'Localhost', localhostProfile: '../../etc/passwd' } },
      }),
    ends: /Localhost of container main .* is not supported/,
  },
  {
    name: 'the keyring of the user who started the node, without a filter',
    namespace: 'privileged',
    spec: () =>
      alone(
        `/calls/find-canary /bin/echo ${escaped}; /calls/request-canary /bin/echo ${escaped}
/calls/unshare-nothing /bin/sh -c "sed -n '/^Seccomp:/p' /proc/self/status"`,
        unconfined,
      ),
    ends: /^Seccomp:\s0$[^]*attempted/m,
  },
  {
    name: 'the keyring of the user who started the node, without a filter, by a probe',
    namespace: 'privileged',
    spec: () =>
      afterInit('true', whenCalled, {
        ...unconfined,
        volumeMounts: [atV],
        startupProbe: {
          exec: {
            command: [
              'sh',
              '-c',
              `/calls/find-canary /bin/echo ${escaped} > /v/out; echo called >> /v/out; echo x > /v/done`,
            ],
          },
          failureThreshold: 100,
        },
      }),
    ends: /^called$/m,
  },
];
