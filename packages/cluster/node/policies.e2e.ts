// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Namespace, NetworkPolicy, Node, Pod, Service } from '@forge/kube/kinds/builtin.ts';
import { eventually } from '@forge/testing/programs/eventually.ts';
import { currentUser, isRoot, ordinaryUser } from '@forge/testing/programs/ordinary-user.ts';
import { processCluster } from '@forge/testing/programs/process-cluster.ts';
import { cachedImages, runTestProgram } from '@forge/testing/programs/test-program.ts';
import { runCommand } from '../host/run-command.ts';
import type { ImageStore } from '../images/image-store.ts';
import { outputOf } from './test/escapes/pod-output.ts';
import { memcached } from './test/memcached.ts';

const program = fileURLToPath(new URL('test/policies/try-policies.ts', import.meta.url));

describe('the packet filter enforces NetworkPolicies', () => {
  test('in a node that root runs', { skip: !isRoot }, async (context) => {
    await runTestProgram(context, program, await currentUser(context));
  });

  test('in a node that an ordinary user runs', async (context) => {
    await runTestProgram(context, program, await ordinaryUser(context, () => cachedImages('forge/tools')));
  });
});

/** Connects to a pod continuously, and prints each change of the result. */
const connecting = (address: string): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { namespace: 'default', name: 'client' },
  spec: {
    terminationGracePeriodSeconds: 1,
    containers: [
      {
        name: 'main',
        image: 'mariadb:10.11',
        command: [
          'bash',
          '-c',
          `while sleep 0.02; do
  now=$( (exec 3<>/dev/tcp/${address}/11299 && echo connected) 2>&1 | grep -o 'connected\\|No route to host')
  [ "$now" = "$last" ] || echo "$now"
  last=$now
done`,
        ],
      },
    ],
  },
});

test('NetworkPolicies follow changes of policies, pods and namespaces', async () => {
  await using cluster = await processCluster();
  const { client, folder } = cluster;
  await client.create(Pod, memcached);
  const address = await eventually('the server is ready', async () => {
    const { status } = await client.get(Pod, { namespace: 'default', name: 'cache' });
    return status?.containerStatuses?.[0]?.ready === true && status.podIP;
  });
  const pod = await client.create(Pod, connecting(address));
  const ref = { namespace: 'default', name: 'client' };
  const until = (outcome: string) =>
    eventually(outcome, async () => (await outputOf(pod, join(folder, 'logs'))).trim().endsWith(outcome));
  const label = (role: string | null) => client.patch(Pod, ref, 'merge', { metadata: { labels: { role } } });
  await until('connected');

  const policy = { namespace: 'default', name: 'cache' };
  const namespaceSelector = { matchLabels: { team: 'web' } };
  await client.create(NetworkPolicy, {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { ...policy },
    spec: {
      podSelector: { matchLabels: { app: 'cache' } },
      ingress: [{ from: [{ podSelector: { matchLabels: { role: 'client' } } }, { namespaceSelector }] }],
    },
  });
  await until('No route to host');
  await label('client');
  await until('connected');
  await label(null);
  await until('No route to host');
  await client.patch(Namespace, { name: 'default' }, 'merge', { metadata: { labels: { team: 'web' } } });
  await until('connected');
  await client.patch(NetworkPolicy, policy, 'merge', { spec: { ingress: [] } });
  await until('No route to host');
  const { status } = await client.get(Pod, { namespace: 'default', name: 'cache' });
  assert.equal(status?.containerStatuses?.[0]?.ready, true, 'probes of the node pass');
  await client.delete(NetworkPolicy, policy);
  await until('connected');
});

/** Images whose tools lack nft, as if the kernel lacked nftables. */
async function withoutNft(context: TestContext): Promise<(store: ImageStore) => ImageStore> {
  const folder = await mkdtemp(join(tmpdir(), 'forge-tools-'));
  context.after(() => rm(folder, { recursive: true }));
  const [tools] = await cachedImages('forge/tools');
  const root = join(folder, 'root');
  await runCommand(['cp', '-a', tools?.root ?? '', root]);
  await rm(join(root, 'usr/sbin/nft'));
  return (store) => ({
    ensure: async (reference, options) => {
      const image = await store.ensure(reference, options);
      return reference === 'forge/tools' ? { ...image, root } : image;
    },
  });
}

test('a node that cannot enforce NetworkPolicies reports that, and serves Services', async (context) => {
  await using cluster = await processCluster(tmpdir(), await withoutNft(context));
  const { client, node } = cluster;
  const { status } = await client.get(Node, { name: 'forge' });
  const condition = status?.conditions?.find(({ type }) => type === 'NetworkPolicyEnforced');
  assert.deepEqual([condition?.status, condition?.reason], ['False', 'NoPacketFilter']);
  assert.match(condition?.message ?? '', /nftables cannot be used/);

  const metadata = { namespace: 'default', name: 'cache' };
  const spec = { selector: { app: 'cache' }, ports: [{ port: 11_211, targetPort: 11_299 }] };
  await client.create(Pod, memcached);
  await client.create(Service, { apiVersion: 'v1', kind: 'Service', metadata, spec });
  const socket = await eventually('the Service answers', () =>
    node.dial('cache.default.svc.cluster.local', 11_211).catch(() => undefined),
  );
  socket.destroy();
});
