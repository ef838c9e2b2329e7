// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { ContainerStatus } from '@forge/kube/generated/types.ts';
import { ConfigMap, Pod, TokenReview } from '@forge/kube/kinds/builtin.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { eventually, testKubelet, ref } from '../test/test-kubelet.ts';

const tokenPath = '/secrets/kubernetes.io/serviceaccount';

function running(status: ContainerStatus | undefined, restarts: number): boolean {
  return status?.state?.running !== undefined && status.restartCount === restarts;
}

describe('the kubelet', () => {
  test('runs a pod, reports it as ready, and confirms its deletion after a graceful shutdown', async () => {
    await using node = await testKubelet();
    const { kube, clock, started, attached, container, create } = node;
    await create({ terminationGracePeriodSeconds: 20 });
    await eventually('the pod is ready', async () => (await container())?.ready);
    const { status } = await kube.get(Pod, ref);
    assert.deepEqual([status?.phase, status?.podIP], ['Running', '10.244.0.2']);

    await kube.delete(Pod, ref);
    await eventually('it is terminated', async () => started[0]?.signals.length);
    await clock.advance(seconds(19));
    assert.deepEqual(started[0]?.signals, ['SIGTERM']);
    await clock.advance(seconds(1));
    await eventually('the pod is gone', async () => (await kube.find(Pod, ref)) === undefined);
    assert.deepEqual([started[0].signals, attached.size, started.length], [['SIGTERM', 'SIGKILL'], 0, 1]);
  });

  test('restarts a crashing container with exponential backoff', async () => {
    await using node = await testKubelet();
    const { clock, started, container, create } = node;
    await create();
    for (const [count, wait] of [0, 10, 20].entries()) {
      await eventually(`it runs after restart ${count}`, async () => running(await container(), count));
      started.at(-1)?.exit(3);
      await eventually('its exit is recorded', async () => (await container())?.lastState?.terminated?.exitCode === 3);
      await clock.advance(seconds(wait));
      await eventually('it is restarted', async () => started.length === count + 2);
    }
    await eventually('it runs', async () => running(await container(), 3));
  });

  test('records an Event about the back-off of a crashing container, once for each back-off', async () => {
    await using node = await testKubelet();
    const { kube, started, events, container, create } = node;
    await create();
    for (const count of [1, 2]) {
      await eventually(`it runs for the ${count}. time`, async () => started.length === count);
      started.at(-1)?.exit(3);
    }
    const reason = async () => (await container())?.state?.waiting?.reason;
    await eventually('it waits', async () => (await reason()) === 'CrashLoopBackOff');
    const { uid } = (await kube.get(Pod, ref)).metadata;
    assert.deepEqual(
      events.filter((event) => event.startsWith('BackOff')),
      [`BackOff Back-off restarting failed container main in pod web_default(${uid})`],
    );
  });

  test('records an Event about a command that could not be started', async () => {
    await using node = await testKubelet();
    const { started, events, create } = node;
    await create();
    await eventually('it is started', async () => started.length === 1);
    await writeFile(
      started[0]?.logPath ?? '',
      '2026-11-16T00:00:00Z stderr F execvp runn: No such file or directory\n',
    );
    started[0]?.exit(127, false);
    const event = 'Failed Error: execvp runn: No such file or directory';
    await eventually('the Event is sent', async () => events.includes(event));
  });

  test('runs a pod to completion once, and keeps only its status and log', async () => {
    await using node = await testKubelet();
    const { kube, clock, started, attached, create } = node;
    await create({ restartPolicy: 'Never', initContainers: [{ name: 'init', image: 'web:1' }] });
    await eventually('the init container runs', async () => started.length === 1);
    started[0]?.exit(0);
    await eventually('the container runs', async () => started.length === 2);
    started[1]?.exit(0);
    await eventually('it has succeeded', async () => (await kube.get(Pod, ref)).status?.phase === 'Succeeded');
    await eventually('its network is gone', async () => attached.size === 0);
    await clock.advance(seconds(600));
    assert.equal(started.length, 2);
  });

  test('reports an image that cannot be pulled, and retries', async () => {
    await using node = await testKubelet();
    const { clock, images, container, create } = node;
    images.missing.add('web:1');
    await create();
    const reason = async () => (await container())?.state?.waiting?.reason;
    await eventually('the pull has failed', async () => (await reason()) === 'ErrImagePull');
    await clock.advance(seconds(10));
    await eventually('the pull has failed again', async () => (await reason()) === 'ImagePullBackOff');
    images.missing.clear();
    await clock.advance(seconds(20));
    await eventually('it runs', async () => (await container())?.state?.running);
  });

  test('records when an image is pulled and how many seconds it took', async () => {
    await using node = await testKubelet();
    const { clock, events, images, container, create } = node;
    const pulled = Promise.withResolvers<void>();
    images.pulling.set('web:1', pulled.promise);
    await create({ initContainers: [{ name: 'init', image: 'init:1', restartPolicy: 'Always' }] });
    await eventually('it pulls', async () => events.includes('Pulling Pulling image "web:1"'));
    await clock.advance(seconds(12.5));
    pulled.resolve();
    await eventually('it runs', async () => (await container())?.state?.running);
    assert.deepEqual(
      events.filter((event) => event.startsWith('Pull')),
      [
        'Pulled Container image "init:1" already present on machine',
        'Pulling Pulling image "web:1"',
        'Pulled Successfully pulled image "web:1" in 12.5s (12.5s including waiting)',
      ],
    );
  });

  test('waits for referenced objects, starts the pod when they exist, and follows their changes', async () => {
    await using node = await testKubelet();
    const { kube, started, container, create, folder } = node;
    const { metadata } = await create({
      containers: [
        {
          name: 'main',
          image: 'web:1',
          env: [{ name: 'A', valueFrom: { configMapKeyRef: { name: 'settings', key: 'a' } } }],
        },
      ],
      volumes: [{ name: 'conf', configMap: { name: 'settings', optional: true } }],
    });
    const waiting = async () => (await container())?.state?.waiting;
    await eventually('it waits', async () => (await waiting())?.reason === 'CreateContainerConfigError');
    assert.equal((await waiting())?.message, 'configmap "settings" not found');
    const settings = { namespace: 'default', name: 'settings' };
    await kube.create(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata: settings, data: { a: 'one' } });
    await eventually('it runs', async () => (await container())?.state?.running);
    assert.equal(started[0]?.spec.env['A'], 'one');

    await kube.patch(ConfigMap, settings, 'merge', { data: { a: 'two' } });
    const file = join(folder, 'pods', metadata.uid ?? '', 'volumes/conf/a');
    await eventually('the file changes', async () => (await readFile(file, 'utf8').catch(() => '')) === 'two');
    assert.equal(started.length, 1);
  });

  test('follows changes of labels in a downward API volume', async () => {
    await using node = await testKubelet();
    const { kube, started, container, create, folder } = node;
    const items = [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }];
    const { metadata } = await create({ volumes: [{ name: 'fields', downwardAPI: { items } }] });
    await eventually('it runs', async () => (await container())?.state?.running);
    const file = join(folder, 'pods', metadata.uid ?? '', 'volumes/fields/labels');
    assert.equal(await readFile(file, 'utf8'), '');
    await kube.patch(Pod, ref, 'merge', { metadata: { labels: { tier: 'front' } } });
    await eventually('the file changes', async () => (await readFile(file, 'utf8')) === 'tier="front"');
    assert.equal(started.length, 1);
  });

  test('gives a pod a ServiceAccount token, and renews it in time', async () => {
    await using node = await testKubelet();
    const { kube, clock, started, container, create } = node;
    await create();
    await eventually('it runs', async () => (await container())?.state?.running);
    const mount = started[0]?.spec.mounts.find(({ target }) => target.endsWith(tokenPath));
    const read = (file: string) => readFile(join(mount?.source ?? '', file), 'utf8');
    assert.deepEqual(
      [await read('namespace'), await read('ca.crt'), mount?.readOnly],
      ['default', 'the authority', true],
    );
    const token = await read('token');
    const { status } = await kube.create(TokenReview, {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenReview',
      metadata: { name: '' },
      spec: { token },
    });
    assert.equal(status?.user?.username, 'system:serviceaccount:default:default');

    await clock.advance(seconds(3607 * 0.8));
    await eventually('the token is renewed', async () => (await read('token')) !== token);
    assert.equal(started.length, 1);
  });

  test('gives no token to a pod without automount', async () => {
    await using node = await testKubelet();
    const { started, container, create } = node;
    await create({ automountServiceAccountToken: false });
    await eventually('it runs', async () => (await container())?.state?.running);
    assert.ok(started[0]?.spec.mounts.every(({ target }) => !target.endsWith(tokenPath)));
  });

  test('restarts a container whose liveness probe fails, and removes a deleted pod at once', async () => {
    await using node = await testKubelet();
    const { kube, clock, events, started, attached, container, create } = node;
    // Fails without a connection to the fake address: the named port does not exist.
    const livenessProbe = { tcpSocket: { port: 'nowhere' }, periodSeconds: 5, failureThreshold: 2 };
    await create({ containers: [{ name: 'main', image: 'web:1', livenessProbe }] });
    await eventually('it runs', async () => (await container())?.state?.running);
    await clock.advance(seconds(5));
    await eventually('it is terminated', async () => started[0]?.signals.includes('SIGTERM'));
    started[0]?.exit(143);
    await eventually('it runs again', async () => (await container())?.restartCount === 1);
    const unhealthy =
      'Unhealthy Liveness probe errored and resulted in unknown state: container main has no port named nowhere';
    assert.deepEqual(
      events.filter((sent) => /^(Unhealthy|Killing)/.test(sent)),
      [unhealthy, unhealthy, 'Killing Container main failed liveness probe, will be restarted'],
    );

    await kube.delete(Pod, ref, { gracePeriodSeconds: 0 });
    await eventually('nothing is left', async () => attached.size === 0);
    assert.deepEqual(started[1]?.signals.slice(0, 1), ['SIGKILL']);
  });

  test('stops all pods when the node stops, without updating the API server', async () => {
    await using node = await testKubelet();
    const { clock, started, kubelet, container, create } = node;
    await create({ terminationGracePeriodSeconds: 600 });
    await eventually('it runs', async () => (await container())?.state?.running);
    const stopped = kubelet.stop(10_000);
    await clock.advance(seconds(10));
    await stopped;
    assert.deepEqual(started[0]?.signals, ['SIGTERM', 'SIGKILL']);
    assert.ok((await container())?.state?.running);
  });
});
