// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { apiServer } from '@forge/apiserver/api-server.ts';
import { inProcessTransport } from '@forge/apiserver/wire/in-process-transport.ts';
import { client } from '@forge/kube/client/client.ts';
import type { Container, ContainerStatus, PodSpec } from '@forge/kube/generated/types.ts';
import { Namespace, Pod } from '@forge/kube/kinds/builtin.ts';
import { seededRandom } from '@forge/runtime/environment/seeded-random.ts';
import { virtualClock } from '@forge/runtime/environment/virtual-clock.ts';
import { logger } from '@forge/runtime/observability/logger.ts';
import type { AssembledImage } from '../../images/image-store.ts';
import { watchedObjects } from '../../objects/watched-objects.ts';
import type { ContainerSpec } from '../containers/container-command.ts';
import type { ContainerEnd, RunningContainer } from '../containers/container-runtime.ts';
import type { ExecResult } from '../exec/exec-in.ts';
import { removeTree } from '../mounts/remove-tree.ts';
import { startKubelet } from '../pods/kubelet.ts';
import type { StorageUser } from '../volumes/storage-pressure.ts';

/** A fake container; it exits when the test decides, or on SIGKILL. */
interface FakeContainer {
  name: string;
  spec: ContainerSpec;
  signals: string[];
  logPath: string;
  /** Ends it; `ran` is false when its command could not be started. */
  exit(code: number, ran?: boolean): void;
}

/** The pod of the tests. */
export const ref = { namespace: 'default', name: 'web' };
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const signingKey = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

/** Waits for asynchronous work that takes no virtual time. */
export async function eventually(what: string, condition: () => Promise<unknown>): Promise<void> {
  for (const deadline = performance.now() + 30_000; performance.now() < deadline; await setImmediate()) {
    if (await condition()) return;
  }
  assert.fail(`not reached: ${what}`);
}

/** A kubelet with a real API server and fake containers; it is stopped at the end of the test's scope. */
export async function testKubelet() {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'forge-kubelet-'));
  stack.defer(() => rm(folder, { recursive: true }));
  const clock = virtualClock();
  const random = seededRandom();
  const log = logger({ clock, level: 'error', write: ({ fields }) => assert.fail(String(fields['error'])) });
  const server = await apiServer({ clock, random, authority: 'the authority', serviceAccounts: { signingKey } });
  stack.defer(() => server.close());
  const kube = client(inProcessTransport(server));
  await kube.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } }).catch(() => {});

  const started: FakeContainer[] = [];
  const events: string[] = [];
  /** The results of commands in containers. Default: they succeed. */
  const commands = new Map<string, Promise<ExecResult>>();
  const images = { missing: new Set<string>(), pulling: new Map<string, Promise<void>>() };
  const attached = new Set<string>();
  const storageUsers = new Set<StorageUser>();
  const watching = { client: kube, clock, random, log };
  const context = {
    ...watching,
    event: async (_: unknown, { reason, message }: { reason: string; message: string }) => {
      events.push(`${reason} ${message}`);
    },
    objects: watchedObjects(watching),
    network: {
      async attach(uid: string) {
        attached.add(uid);
        return { address: '10.244.0.2', namespace: uid };
      },
      async detach({ namespace }: { namespace: string }) {
        attached.delete(namespace);
      },
    },
    policies: undefined,
    runtime: {
      async start({
        id,
        spec,
        logPath,
        inputOptions,
      }: {
        id: string;
        spec: ContainerSpec;
        logPath: string;
        inputOptions: object;
      }): Promise<RunningContainer> {
        const { promise: ended, resolve } = Promise.withResolvers<ContainerEnd>();
        const signals: string[] = [];
        const exit = (exitCode: number, ran = true) => resolve({ exitCode, finishedAt: clock.now(), ran });
        await mkdir(dirname(logPath), { recursive: true });
        started.push({ name: (inputOptions as Container).name, spec, signals, logPath, exit });
        return {
          id,
          startedAt: clock.now(),
          log: { path: logPath, closed: true, grown: () => Promise.resolve() },
          ended,
          signal(signal) {
            signals.push(signal);
            if (signal === 'SIGKILL') exit(137);
          },
          exec: async (command) => commands.get(command.join(' ')) ?? { exitCode: 0, output: '' },
          usedStorage: async () => 0,
          run: () => assert.fail('no streamed command is expected'),
          outputs: { stdout: Readable.from([]), stderr: Readable.from([]) },
          openInput: () => undefined,
          resize: () => {},
        };
      },
    },
    services: () => [],
    async requestImage(reference: string, onPulling: () => void): Promise<AssembledImage> {
      const pulled = images.pulling.get(reference);
      if (pulled) onPulling();
      await pulled;
      if (images.missing.has(reference)) throw new Error(`${reference} is not in the catalogue`);
      const user = { uid: 1000, gid: 1000 };
      return { reference, digest: 'sha256:0', root: folder, mounts: [], env: {}, entrypoint: ['run'], cmd: [], user };
    },
    podsFolder: join(folder, 'pods'),
    storage: {
      create: async (pod: string) => void (await mkdir(pod, { recursive: true })),
      used: async () => 0,
      remove: (pod: string) => removeTree(pod),
    },
    pressure: {
      count(user: StorageUser, until: AbortSignal) {
        storageUsers.add(user);
        until.addEventListener('abort', () => storageUsers.delete(user), { once: true });
      },
    },
    volumesDir: join(folder, 'volumes'),
    logsDir: join(folder, 'logs'),
  };
  const abort = new AbortController();
  stack.defer(() => abort.abort());
  const kubelet = await startKubelet('forge', context, abort.signal);
  stack.defer(() => kubelet.stop(0));

  const container = async (): Promise<ContainerStatus | undefined> =>
    (await kube.get(Pod, ref)).status?.containerStatuses?.[0];
  const create = (spec: Partial<PodSpec> = {}) =>
    kube.create(Pod, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: ref,
      spec: { nodeName: 'forge', containers: [{ name: 'main', image: 'web:1' }], ...spec },
    });
  const owned = stack.move();
  return {
    kube,
    clock,
    started,
    events,
    commands,
    images,
    attached,
    storageUsers,
    kubelet,
    container,
    create,
    folder,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
