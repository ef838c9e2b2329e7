// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Pod, Service } from '@forge/kube/kinds/builtin.ts';
import { eventually } from '@forge/testing/programs/eventually.ts';
import { processCluster } from '@forge/testing/programs/process-cluster.ts';
import { memcached } from './test/memcached.ts';

const ref = { namespace: 'default', name: 'cache' };

/** Whether it is a pod of these tests, or a node whose parent is this process or has exited. */
function isTrace(line: string): boolean {
  const [parent, state = ''] = line.trim().split(/ +/);
  if (state.startsWith('Z')) return false;
  return line.includes('-p 11299') || (line.includes('forge-node') && [1, process.pid].includes(Number(parent)));
}

/** What a node could leave behind on the host: interfaces, mounts and processes. */
function traces() {
  const processes = execFileSync('ps', ['axo', 'ppid=,stat=,args='], { encoding: 'utf8' }).split('\n');
  return {
    interfaces: readFileSync('/proc/self/net/dev', 'utf8').match(/^\s*\S+:/gm),
    mounts: readFileSync('/proc/self/mounts', 'utf8'),
    processes: processes.filter(isTrace),
  };
}

describe('the node', () => {
  test('runs a pod behind a Service name, hides its secrets, and leaves nothing behind', async () => {
    const before = traces();
    {
      await using cluster = await processCluster();
      const { client, node } = cluster;
      await client.create(Pod, memcached);
      const spec = { selector: { app: 'cache' }, ports: [{ port: 11_211, targetPort: 11_299 }] };
      await client.create(Service, { apiVersion: 'v1', kind: 'Service', metadata: ref, spec });
      await eventually(
        'the pod is ready',
        async () => (await client.get(Pod, ref)).status?.containerStatuses?.[0]?.ready,
      );

      let answer = '';
      await eventually('the Service answers', async () => {
        const socket = await node.dial('cache.default.svc.cluster.local', 11_211).catch(() => undefined);
        socket?.write('version\r\n');
        answer = socket ? String((await once(socket, 'data'))[0]) : '';
        socket?.destroy();
        return answer;
      });
      assert.match(answer, /^VERSION 1\.6\./);
      const processList = execFileSync('ps', ['axo', 'args='], { encoding: 'utf8' });
      assert.match(processList, /memcached.* -p 11299/);
      assert.doesNotMatch(processList, /not-for-everybody/);

      await client.delete(Pod, ref);
      await eventually('the pod is gone', async () => (await client.find(Pod, ref)) === undefined);
      await assert.rejects(node.dial('cache.default.svc.cluster.local', 11_211), /cannot connect to/);
    }
    assert.deepEqual(traces(), before);
  });

  test('exits with its pods when the forge process is killed', async (context) => {
    const before = traces();
    const folder = await mkdtemp(join(tmpdir(), 'forge-victim-'));
    context.after(() => rm(folder, { recursive: true }));
    const program = fileURLToPath(new URL('test/victim.ts', import.meta.url));
    const victim = spawn(process.execPath, [program, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
    context.after(() => victim.kill('SIGKILL'));
    await once(createInterface({ input: victim.stdout }), 'line');
    assert.notDeepEqual(traces(), before);
    victim.kill('SIGKILL');
    await eventually('no process is left', () => traces().processes.length === before.processes.length);
    assert.deepEqual(traces(), before);
  });
});
