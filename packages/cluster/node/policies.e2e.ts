// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Node, Pod, Service } from '@forge/kube/kinds/builtin.ts';
import { runCommand } from '../host/run-command.ts';
import type { ImageStore } from '../images/image-store.ts';
import { eventually } from './test/eventually.ts';
import { memcached } from './test/memcached.ts';
import { currentUser, isRoot, ordinaryUser } from './test/ordinary-user.ts';
import { processCluster } from './test/process-cluster.ts';
import { cachedImages, runTestProgram } from './test/test-program.ts';

const program = fileURLToPath(new URL('test/policies/try-policies.ts', import.meta.url));

describe('the packet filter decides as NetworkPolicies do', () => {
  test('in a node that root runs', { skip: !isRoot }, async (context) => {
    await runTestProgram(context, program, await currentUser(context));
  });

  test('in a node that an ordinary user runs', async (context) => {
    await runTestProgram(context, program, await ordinaryUser(context, () => cachedImages('forge/tools')));
  });
});

/** Images whose tools lack nft: for the node, it is as if the kernel lacked it. */
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

test('a node that cannot enforce NetworkPolicies says so, and serves Services', async (context) => {
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
