// SPDX-License-Identifier: Apache-2.0
import type { SystemCall } from '../../confinement/launcher.ts';
import { addresses } from '../../network/addresses.ts';
import { alone, atV, escaped, scripted, type Attempt } from './attempt.ts';
import { claim } from './claim-attempts.ts';

const manyConnections = 15_000;
const manyFolders = 30_000;

/** `struct sockaddr_in` of a port of the node. */
function nodeAt(port: number): () => Buffer {
  const bytes = Buffer.alloc(16);
  bytes.writeUInt16LE(2, 0);
  bytes.writeUInt16BE(port, 2);
  bytes.set(addresses.node.split('.').map(Number), 4);
  return () => bytes;
}

/** Opens many connections to a port of the node; the descriptors of a new process begin with 3. */
function connections(port: number): SystemCall[] {
  const address = nodeAt(port);
  return Array.from({ length: manyConnections }, (_, index): SystemCall[] => [
    { number: { x64: 41, arm64: 198 }, arguments: [2, 1, 0], mayFail: true },
    { number: { x64: 42, arm64: 203 }, arguments: [3 + index, address, 16], mayFail: true },
  ]).flat();
}

const folderName = () => Buffer.from('d\0');

/** Creates deeply nested folders. */
function nestedFolders(): SystemCall[] {
  return Array.from({ length: manyFolders }, (): SystemCall[] => [
    { number: { x64: 258, arm64: 34 }, arguments: [2 ** 32 - 100, folderName, 0o755] },
    { number: { x64: 80, arm64: 49 }, arguments: [folderName] },
  ]).flat();
}

/** Programs that exhaust a limited resource, and then execute their arguments. */
export const exhaustingCalls: Readonly<Record<string, readonly SystemCall[]>> = {
  'connect-relay': connections(addresses.apiServerPort),
  'connect-kubelet': connections(addresses.kubeletPort),
  'nest-folders': nestedFolders(),
};

const inMemory = { name: 'shared', emptyDir: { medium: 'Memory', sizeLimit: '8Mi' } };
/** Prints that memory is not limited when the container has no control group. */
const whereLimited = `grep -q /forge- /proc/self/cgroup || echo not limited`;
const filling = ['one', 'two', 'three', 'four'];
const held = "/bin/sh -c 'echo attempted; exec sleep 170'";

/** Attempts to exhaust resources that all pods share. */
export const limitAttempts: readonly Attempt[] = [
  {
    name: 'idle connections to the API server',
    spec: () => alone(`/exhaust/connect-relay ${held}`),
    keepsRunning: true,
  },
  {
    name: 'idle connections to the kubelet',
    spec: () => alone(`/exhaust/connect-kubelet ${held}`),
    keepsRunning: true,
  },
  {
    name: 'processes',
    // The shell exits when it cannot fork.
    spec: () => alone(`(for i in $(seq 6000); do sleep 100 & done; echo ${escaped}); true`),
    ends: /fork/,
  },
  {
    name: 'memory, by an emptyDir in memory',
    spec: () => ({
      ...alone(`dd if=/dev/zero of=/v/fill bs=1M count=64 && echo ${escaped}`, { volumeMounts: [atV] }),
      volumes: [inMemory],
    }),
    ends: /No space left on device[^]*attempted/,
  },
  {
    name: 'memory, by empty files in an emptyDir',
    spec: () => ({
      ...alone(`cd /v && touch $(seq 6000) && echo ${escaped}`, { volumeMounts: [atV] }),
      volumes: [inMemory],
    }),
    ends: /No space left on device[^]*attempted/,
  },
  {
    name: 'memory, by emptyDirs with limits beyond it',
    spec: () => ({
      ...alone(
        `sum=0; for size in $(df -k --output=size /v /w | sed 1d); do sum=$((sum + size)); done
all=$(sed -n 's/^MemTotal: *\\([0-9]*\\) kB/\\1/p' /proc/meminfo)
echo "$sum of $all KiB"; [ "$sum" -gt $((all / 3)) ] && echo ${escaped}`,
        { volumeMounts: [atV, { name: 'other', mountPath: '/w' }] },
      ),
      volumes: [
        { name: 'shared', emptyDir: { medium: 'Memory', sizeLimit: '1Ti' } },
        { name: 'other', emptyDir: {} },
      ],
    }),
    ends: /[1-9]\d* of [1-9]\d* KiB[^]*attempted/,
  },
  {
    name: 'memory, by several containers that fill their layers and /dev/shm',
    spec: () => ({
      volumes: [{ name: 'shared', emptyDir: { medium: 'Memory', sizeLimit: '1Mi' } }],
      containers: filling.map((name) =>
        scripted(
          name,
          `for file in /tmp/fill /dev/shm/fill; do dd if=/dev/zero of=$file bs=1M; done
stat -c %s /tmp/fill /dev/shm/fill > /v/.${name}; mv /v/.${name} /v/${name}
until [ "$(ls /v | wc -l)" = ${filling.length} ]; do sleep 0.1; done
sum=0; for size in $(cat /v/*); do sum=$((sum + size / 1024)); done
all=$(sed -n 's/^MemTotal: *\\([0-9]*\\) kB/\\1/p' /proc/meminfo)
echo "$sum of $all KiB"; [ "$sum" -gt $((all / 3)) ] && echo ${escaped}`,
          { volumeMounts: [atV] },
        ),
      ),
    }),
    ends: /No space left on device[^]*[1-9]\d* of [1-9]\d* KiB[^]*attempted/,
  },
  {
    name: 'memory, beyond its limit, where it can be limited',
    spec: () => ({
      ...alone(`dd if=/dev/zero of=/v/fill bs=1M count=200; ${whereLimited}`, {
        volumeMounts: [atV],
        resources: { limits: { memory: '64Mi' } },
      }),
      volumes: [{ name: 'shared', emptyDir: {} }],
    }),
    ends: /Killed|not limited/,
  },
  {
    name: 'memory, by the termination log, /etc/hosts, /dev and /dev/shm',
    spec: () =>
      alone(
        `for file in /dev/termination-log /etc/hosts /dev/shm/fill; do dd if=/dev/zero of=$file bs=1M count=100 && echo ${escaped}; done
echo x > /dev/fill && echo ${escaped}`,
        { securityContext: { runAsUser: 0 } },
      ),
    ends: /(No space left on device[^]*){3}Read-only file system[^]*attempted/,
  },
  {
    name: 'nested folders, in an emptyDir and in a claim',
    claims: () => [claim('deep')],
    spec: () => ({
      volumes: [
        { name: 'shared', emptyDir: {} },
        { name: 'claimed', persistentVolumeClaim: { claimName: 'deep' } },
      ],
      containers: [
        scripted('main', 'cd /v && /exhaust/nest-folders /bin/true; cd /w && /exhaust/nest-folders /bin/echo nested', {
          volumeMounts: [atV, { name: 'claimed', mountPath: '/w' }],
        }),
      ],
    }),
    ends: /^nested$[^]*attempted/m,
  },
];
