// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Container, ContainerStatus } from '@forge/kube/generated/types.ts';
import { ConfigMap, Event, Pod, Secret } from '@forge/kube/kinds/builtin.ts';
import { eventually } from '@forge/testing/programs/eventually.ts';
import { processCluster, type ProcessCluster } from '@forge/testing/programs/process-cluster.ts';
import { kubectlFor } from './test/kubectl.ts';

const namespace = 'default';
const image = 'forge/shell';

/**
 * Prints each new state of /settings and /secrets, and inconsistent states of /settings. A folder that was replaced is removed, also
 * while somebody reads it, who then reads again.
 */
const watcher = `
while :; do
  cd /settings/..data; one=$(cat a) && two=$(cat b) || continue; cd /
  [ "$one" = "$two" ] || echo "torn $one $two"
  now="$one $(cat /secrets/key) $(cat /single) $(cat /fields/labels)"
  [ "$now" = "$last" ] || echo "$now"; last=$now
  sleep 0.05
done`;

const labelled = {
  items: [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }],
};

const main: Container = {
  name: 'main',
  image,
  command: ['sh', '-c', watcher],
  resources: { limits: { cpu: '1500m', memory: '64Mi' } },
  env: [{ name: 'MILLIS', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: '1m' } } }],
  volumeMounts: [
    { name: 'settings', mountPath: '/settings' },
    { name: 'settings', mountPath: '/single', subPath: 'a' },
    { name: 'secrets', mountPath: '/secrets' },
    { name: 'fields', mountPath: '/fields' },
  ],
};

const watching: Pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'watching', namespace, labels: { round: 'one' } },
  spec: {
    terminationGracePeriodSeconds: 0,
    containers: [main],
    volumes: [
      { name: 'settings', configMap: { name: 'settings' } },
      { name: 'secrets', secret: { secretName: 'secrets' } },
      { name: 'fields', downwardAPI: labelled },
    ],
  },
};

const crashing: Pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'crashing', namespace },
  spec: {
    terminationGracePeriodSeconds: 0,
    volumes: [{ name: 'runs', emptyDir: {} }],
    containers: [
      {
        name: 'main',
        image,
        terminationMessagePolicy: 'FallbackToLogsOnError',
        command: ['sh', '-c', 'echo x >> /runs/x; echo run $(grep -c x /runs/x); echo failing >&2; exit 3'],
        volumeMounts: [{ name: 'runs', mountPath: '/runs' }],
      },
    ],
  },
};

/** The data of the ConfigMap. */
function content(text: string) {
  return { a: text, b: text };
}

describe('a pod of real processes', () => {
  let cluster: ProcessCluster;
  let folder: string;

  before(async () => {
    cluster = await processCluster();
    folder = await mkdtemp(join(tmpdir(), 'forge-pods-'));
    const { client } = cluster;
    const settings = { name: 'settings', namespace };
    await client.create(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata: settings, data: content('one') });
    const secrets = { name: 'secrets', namespace };
    const data = { key: Buffer.from('one').toString('base64') };
    await client.create(Secret, { apiVersion: 'v1', kind: 'Secret', metadata: secrets, data });
    for (const pod of [watching, crashing]) await client.create(Pod, pod);
    await eventually('the pod is ready', async () => {
      const { status } = await client.get(Pod, { namespace, name: 'watching' });
      return status?.containerStatuses?.[0]?.ready;
    });
  });
  after(async () => {
    await cluster[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  async function kubectl(...args: string[]): Promise<string> {
    const { start, ended } = kubectlFor(cluster.kubeconfig);
    const { code, out, err } = await ended(start(args));
    assert.equal(code, 0, err);
    return out;
  }

  async function lines(): Promise<string[]> {
    return (await kubectl('logs', 'watching', '--timestamps')).trim().split('\n');
  }

  async function shown(text: string): Promise<string | undefined> {
    return (await lines()).find((line) => line.endsWith(` ${text}`));
  }

  async function crashed(restarts: number) {
    const [status] = (await cluster.client.get(Pod, { namespace, name: 'crashing' })).status?.containerStatuses ?? [];
    return status?.state?.waiting?.reason === 'CrashLoopBackOff' && status.restartCount >= restarts
      ? status
      : undefined;
  }

  test('sees changes of ConfigMaps, Secrets and its labels within 2 s and atomically, but not in a subPath', async () => {
    const { client } = cluster;
    await eventually('it shows the first content', () => shown('one one one round="one"'));
    await client.patch(ConfigMap, { namespace, name: 'settings' }, 'merge', { data: content('two') });
    await client.patch(Secret, { namespace, name: 'secrets' }, 'merge', { stringData: { key: 'two' } });
    const pod = { namespace, name: 'watching' };
    await client.patch(Pod, pod, 'merge', { metadata: { labels: { round: 'two' } } });
    const changed = Date.now();
    await eventually('it shows the second content', () => shown('two two one round="two"'));
    const [time = ''] = (await shown('two two one round="two"'))?.split(' ') ?? [];
    const took = Date.parse(time) - changed;
    assert.ok(took < 2000, `the changes were visible after ${took} ms`);
    assert.doesNotMatch((await lines()).join('\n'), /torn/);
  });

  test('gets its resources by the downward API', async () => {
    assert.equal(await kubectl('exec', 'watching', '--', 'sh', '-c', 'echo $MILLIS'), '1500\n');
  });

  test('has the end of its log as message when it fails, and logs of its runs', async () => {
    const all = [[], ['--previous'], ['--tail=1'], ['--since=1h', '--tail=-1'], ['--since-time=2999-01-01T00:00:00Z']];
    let logs: string[] = [];
    let status: ContainerStatus | undefined;
    await eventually('it waits for its restart until all logs are read', async () => {
      status = await crashed(1);
      logs = await Promise.all(all.map((options) => kubectl('logs', 'crashing', ...options)));
      return status && status.restartCount === (await crashed(1))?.restartCount;
    });
    const { exitCode, message = '' } = status?.lastState?.terminated ?? {};
    assert.deepEqual([exitCode, message], [3, `run ${(status?.restartCount ?? 0) + 1}\nfailing\n`]);
    // While it waits for its restart, the last run is also the previous one.
    assert.deepEqual(logs, [message, message, 'failing\n', message, '']);
  });

  test('can exchange files and folders by kubectl cp', async () => {
    const bytes = randomBytes(2_000_000);
    await writeFile(join(folder, 'present'), bytes);
    await kubectl('cp', join(folder, 'present'), 'watching:/tmp/there');
    await kubectl('cp', 'watching:/tmp/there', join(folder, 'back'));
    assert.ok(bytes.equals(await readFile(join(folder, 'back'))));
    await kubectl('exec', 'watching', '--', 'sh', '-c', 'mkdir -p /tmp/tree/a && echo deep > /tmp/tree/a/file');
    await kubectl('cp', 'watching:/tmp/tree', join(folder, 'tree'));
    assert.equal(await readFile(join(folder, 'tree/a/file'), 'utf8'), 'deep\n');
  });

  test('can get an ephemeral container by kubectl debug, in its network, with its volumes', async () => {
    const { client } = cluster;
    const ref = { namespace, name: 'watching' };
    const [address] = (await client.get(Pod, ref)).status?.podIPs ?? [];
    const script = 'read word; echo "$word from $(cat /etc/hostname)"; grep -c . /etc/hosts; sleep 3600';
    await kubectl(
      'debug',
      'watching',
      `--image=${image}`,
      '-c',
      'debug',
      '-i',
      '--attach=false',
      '--',
      'sh',
      '-c',
      script,
    );
    await eventually('it runs', async () => {
      const [status] = (await client.get(Pod, ref)).status?.ephemeralContainerStatuses ?? [];
      return status?.state?.running;
    });
    const { start } = kubectlFor(cluster.kubeconfig);
    const attached = start(['attach', '-i', 'watching', '-c', 'debug']);
    attached.stdin.write('hello\n');
    await eventually('it answers', async () =>
      (await kubectl('logs', 'watching', '-c', 'debug')).includes('hello from'),
    );
    attached.kill();
    await once(attached, 'close');
    assert.match(
      await kubectl('exec', 'watching', '-c', 'debug', '--', 'cat', '/etc/hosts'),
      RegExp(address?.ip ?? '-'),
    );
    assert.match(await kubectl('get', 'pod', 'watching'), /1\/1 +Running +0/);
  });

  test('has Events about its images', async () => {
    await eventually('the Event is recorded', async () => {
      const { items } = await cluster.client.list(Event, { namespace });
      const messages = items.map(({ reason, message }) => `${reason} ${message}`);
      return messages.includes(`Pulled Container image "${image}" already present on machine`);
    });
  });

  test('has one Event with a count about its failing readiness probe, and is not restarted', async () => {
    const { client } = cluster;
    const probe = { exec: { command: ['sh', '-c', 'echo not yet; exit 1'] }, periodSeconds: 1 };
    await client.create(Pod, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'unready', namespace },
      spec: {
        terminationGracePeriodSeconds: 0,
        containers: [{ name: 'main', image, command: ['sleep', '3600'], readinessProbe: probe }],
      },
    });
    const unhealthy = async () => {
      const { items } = await client.list(Event, { namespace });
      return items.filter(({ involvedObject, reason }) => involvedObject.name === 'unready' && reason === 'Unhealthy');
    };
    await eventually('it has failed several times', async () => ((await unhealthy())[0]?.count ?? 0) > 2);
    assert.deepEqual(
      (await unhealthy()).map(({ type, message }) => [type, message]),
      [['Warning', 'Readiness probe failed: not yet']],
    );
    assert.match(await kubectl('get', 'pod', 'unready'), /0\/1 +Running +0/);
    await client.delete(Pod, { namespace, name: 'unready' });
  });
});
