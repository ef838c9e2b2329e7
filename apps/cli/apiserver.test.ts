// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join, relative } from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { readKubeconfig } from '@forge/kube/client/kubeconfig.ts';
import { ConfigMap } from '@forge/kube/kinds/builtin.ts';
import { startApiServer, startProgram, withClient, withDataFolder } from './test/forge-process.ts';

const ready = 'Ctrl-C stops it';

describe('forge-apiserver', { concurrency: true }, () => {
  test('serves clients that use its kubeconfig, which only the owner can read, and stops on SIGTERM', async () => {
    await withDataFolder(async (dir) => {
      const kubeconfig = join(dir, 'kubeconfig');
      const server = startApiServer('--kubeconfig', kubeconfig);
      await server.waitForOutput(ready);
      assert.equal((await stat(kubeconfig)).mode & 0o777, 0o600);
      await withClient(kubeconfig, (api) => api.create(ConfigMap, settings));
      server.kill('SIGTERM');
      assert.equal((await server.ended).code, 0);
    });
  });

  test('stores objects and its certificate authority in the data folder, which one process at a time can use', async () => {
    await withDataFolder(async (dir) => {
      const kubeconfig = join(dir, 'kubeconfig');
      const first = startApiServer('--data', relative('.', dir));
      await first.waitForOutput(ready);
      await first.waitForOutput(`the objects stay in ${dir}.`);
      await withClient(kubeconfig, (api) => api.create(ConfigMap, settings));
      const { ca } = await readKubeconfig([kubeconfig], (path) => readFile(path, 'utf8'));
      const second = await startApiServer('--data', dir).ended;
      assert.equal(second.code, 4);
      assert.match(second.output, new RegExp(`process ${first.pid}\\) is already running on ${dir}`));

      first.kill('SIGKILL');
      await first.ended;
      // As after `kubectl config set-context --current --namespace=a`.
      const written = await readFile(kubeconfig, 'utf8');
      await writeFile(
        kubeconfig,
        written.replace('current-context: "forge-apiserver"', 'current-context: forge-apiserver'),
      );
      const again = startApiServer('--data', dir);
      await again.waitForOutput(ready);
      const read = await withClient(kubeconfig, (api) => api.get(ConfigMap, settings.metadata));
      assert.deepEqual(read.data, settings.data);
      assert.equal((await readKubeconfig([kubeconfig], (path) => readFile(path, 'utf8'))).ca, ca);
      again.kill('SIGINT');
      assert.equal((await again.ended).code, 0);
    });
  });

  test('does not overwrite a kubeconfig of another program', async () => {
    await withDataFolder(async (dir) => {
      const file = join(dir, 'config');
      await writeFile(file, 'precious');
      const { code, output } = await startApiServer('--kubeconfig', file).ended;
      assert.equal(code, 1);
      assert.match(
        output,
        /was not written by forge-apiserver and is not overwritten; choose a new file with --kubeconfig/,
      );
      assert.equal(await readFile(file, 'utf8'), 'precious');
    });
  });

  test('reports invalid options', async () => {
    const [port, option, folder] = await Promise.all([
      startApiServer('--port', '70000').ended,
      startApiServer('--prot', '1').ended,
      startApiServer('--data', '/dev/null/data').ended,
    ]);
    assert.equal(port.code, 2);
    assert.match(port.output, /--port 70000: a port is a number from 0 to 65535/);
    assert.equal(option.code, 2);
    assert.match(option.output, /Unknown option '--prot'[^]*forge-apiserver --help/);
    assert.equal(folder.code, 1);
    assert.match(
      folder.output.trim(),
      /^\/dev\/null\/data cannot be used \(ENOTDIR.*Choose another folder with --data\.$/,
    );
  });

  test('names the port that is already in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { code, output } = await startApiServer('--port', String(port)).ended;
    other.close();
    assert.equal(code, 1);
    assert.match(output, new RegExp(`Port ${port} is in use; choose another one with --port`));
  });

  test('runs from a packed package', async () => {
    await withDataFolder(async (dir) => {
      const pack = await promisify(execFile)('npm', ['run', '--silent', 'pack', '--', dir]);
      const modules = join(dir, 'node_modules');
      await mkdir(modules);
      await promisify(execFile)('tar', ['-xzf', pack.stdout.trim(), '-C', modules]);
      const server = startProgram(join(modules, 'package', 'forge-apiserver.mjs'), '--kubeconfig', join(dir, 'config'));
      await server.waitForOutput(ready);
      await withClient(join(dir, 'config'), (api) => api.create(ConfigMap, settings));
      server.kill('SIGTERM');
      assert.equal((await server.ended).code, 0);
    });
  });
});

const settings: ConfigMap = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace: 'default', name: 'settings' },
  data: { color: 'red' },
};
