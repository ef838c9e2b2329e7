// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { client, type Client } from '@forge/kube/client/client.ts';
import { httpsTransport } from '@forge/kube/client/https-transport.ts';
import { readKubeconfig } from '@forge/kube/client/kubeconfig.ts';
import type { Transport } from '@forge/kube/client/transport.ts';
import { ApiError } from '@forge/kube/errors/api-error.ts';
import { ConfigMap } from '@forge/kube/kinds/builtin.ts';
import { startApiServer, startOnSmallDisk, withDataFolder, type ForgeProcess } from './forge-process.ts';

const ready = 'Ctrl-C stops it';
const megabytes = 3;

function configMap(name: string, size: number): ConfigMap {
  const metadata = { namespace: 'default', name };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { text: 'x'.repeat(size) } };
}

/** Creates objects until the server rejects one; returns the acknowledged names and the error. */
async function fill(api: Client, prefix: string, size: number): Promise<{ created: string[]; refused: ApiError }> {
  const created: string[] = [];
  for (let count = 0; count < 10_000; count += 1) {
    try {
      created.push((await api.create(ConfigMap, configMap(`${prefix}-${count}`, size))).metadata.name);
    } catch (error) {
      assert.ok(error instanceof ApiError, String(error));
      return { created, refused: error };
    }
  }
  throw new Error(`The disk accepted ${created.length} objects of ${size} bytes`);
}

async function namesIn(api: Client): Promise<string[]> {
  const { items } = await api.list(ConfigMap, { namespace: 'default' });
  return items.map(({ metadata }) => metadata.name).filter((name) => name !== 'kube-root-ca.crt');
}

async function withServer(
  server: ForgeProcess,
  kubeconfig: string,
  use: (api: Client, transport: Transport) => Promise<void>,
): Promise<void> {
  await server.waitForOutput(ready);
  const transport = httpsTransport(await readKubeconfig([kubeconfig], (path) => readFile(path, 'utf8')));
  try {
    await use(client(transport), transport);
  } catch (error) {
    server.kill('SIGKILL');
    throw error;
  } finally {
    await transport.close();
  }
}

describe('forge-apiserver on a full disk', () => {
  test('serves reads, rejects writes until there is space, and keeps all acknowledged writes', async () => {
    await withDataFolder(async (dir) => {
      const kubeconfig = join(dir, 'kubeconfig');
      const server = startOnSmallDisk(join(dir, 'disk'), megabytes, '--kubeconfig', kubeconfig);
      const acknowledged: string[] = [];
      await withServer(server, kubeconfig, async (api, transport) => {
        const disk = join('/proc', String(server.pid), 'root', dir, 'disk');
        const health = async () => (await transport.request({ method: 'GET', path: '/readyz' })).status;
        await writeFile(join(disk, 'filler'), Buffer.alloc(1024 * 1024));
        // A smaller object may still fit.
        for (const size of [100_000, 1000, 1]) {
          const { created, refused } = await fill(api, `size-${size}`, size);
          acknowledged.push(...created);
          assert.equal(refused.code, 507);
          assert.match(refused.message, /store\.log cannot be written \(ENOSPC/);
        }
        assert.deepEqual(await namesIn(api), acknowledged.toSorted());
        assert.equal(await health(), 500);
        await server.waitForOutput("ERROR The cluster's log");

        await rm(join(disk, 'filler'));
        acknowledged.push((await api.create(ConfigMap, configMap('after', 100_000))).metadata.name);
        await server.waitForOutput('succeed again');
        assert.equal(await health(), 200);
        acknowledged.push(...(await fill(api, 'again', 50_000)).created);
        // The state that a kill at this point would leave behind.
        for (const name of ['state', 'format']) {
          await cp(join(disk, name), join(dir, 'killed', name), { recursive: true });
        }
      });
      server.kill('SIGTERM');
      const { code, output } = await server.ended;
      assert.equal(code, 1);
      assert.match(output, /store\.log cannot be written \(ENOSPC.*\s*$/);

      const next = startApiServer('--data', join(dir, 'killed'));
      await withServer(next, join(dir, 'killed', 'kubeconfig'), async (api) => {
        assert.deepEqual(await namesIn(api), acknowledged.toSorted());
      });
      next.kill('SIGTERM');
      assert.equal((await next.ended).code, 0);
    });
  });
});
