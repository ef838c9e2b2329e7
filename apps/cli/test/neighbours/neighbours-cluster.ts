// SPDX-License-Identifier: Apache-2.0
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Deployment, Pod } from '@forge/kube/kinds/builtin.ts';
import { ExternalSecret } from '@forge/kube/third-party/external-secrets.ts';
import { systemClock as clock } from '@forge/runtime/environment/clock.ts';
import { readFileIfExists } from '@forge/runtime/process/read-file-if-exists.ts';
import { eventually } from '@forge/testing/programs/eventually.ts';
import { progress } from '../../terminal/progress.ts';
import { controlPlaneDemo as demo } from '../../up/control-plane-demo.ts';
import { up } from '../../up/up.ts';
import { at, operations } from '../control-plane/cluster.ts';
import { guideCommands, runScript } from './guide-commands.ts';

/** The Deployments of the neighbours, as installed by the guide. */
export const neighbours = {
  korc: { namespace: 'orc-system', name: 'orc-controller-manager' },
  mariadbOperator: { namespace: 'mariadb-system', name: 'mariadb-operator' },
  externalSecrets: { namespace: 'external-secrets', name: 'external-secrets' },
};

/** A cluster with real neighbours, and operations of tests on it. */
export type NeighboursCluster = Awaited<ReturnType<typeof neighboursCluster>>;

/** Starts the demo without stand-ins, and installs the neighbours by the commands of the guide. */
export async function neighboursCluster(write: (text: string) => void) {
  const stack = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), 'forge-e2e-'));
  stack.defer(() => rm(dataDir, { recursive: true, force: true }));
  const { without, prepare, install } = await guideCommands();
  const ended = new AbortController();
  const run = async (scripts: readonly string[]) => {
    for (const script of scripts) write(await runScript(script, dataDir, ended.signal));
  };
  await run(prepare);
  const starting = up({
    demo,
    dataDir,
    progress: progress({ write, clock, colour: false }),
    signal: AbortSignal.any([ended.signal, AbortSignal.timeout(15 * 60_000)]),
    without,
    onDown: () => ended.abort(),
  });
  stack.defer(async () => {
    ended.abort();
    await (await starting).stop();
  });
  const isReachable = () => eventually('there is a kubeconfig', () => readFileIfExists(join(dataDir, 'kubeconfig')));
  try {
    const [running] = await Promise.all([starting, isReachable().then(() => run(install))]);
    const { client } = running;
    const cluster = operations(running);
    return {
      ...running,
      ...cluster,
      without,
      /** Scales a neighbour, and waits until it has that many pods. */
      async scaleNeighbour(neighbour: (typeof neighbours)[keyof typeof neighbours], replicas: 0 | 1): Promise<void> {
        await cluster.scale(Deployment, neighbour, replicas);
        await eventually(`${neighbour.name} has ${replicas} pods`, async () => {
          const { items } = await client.list(Pod, { namespace: neighbour.namespace });
          const ready = (await client.get(Deployment, neighbour)).status?.readyReplicas ?? 0;
          return items.length === replicas && ready === replicas;
        });
      },
      /** Writes a Secret's content into OpenBao, and makes External Secrets refresh it now. */
      async change(path: string, content: Record<string, string>, secret: string): Promise<void> {
        await cluster.write(path, content);
        const annotations = { 'external-secrets.io/force-sync': String(clock.now()) };
        await client.patch(ExternalSecret, at(demo.namespace, secret), 'merge', { metadata: { annotations } });
      },
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    };
  } catch (error) {
    await stack.disposeAsync().catch(() => undefined);
    throw error;
  }
}
