// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { Pod, StatefulSet } from '@forge/kube/kinds/builtin.ts';
import { MariaDB } from '@forge/kube/third-party/mariadb.ts';
import { Memcached } from '@forge/kube/third-party/memcached.ts';
import { eventually } from '@forge/testing/programs/eventually.ts';
import { ownProcesses, signalPod } from '@forge/testing/programs/pod-processes.ts';
import { openbao } from '../../openbao/openbao-objects.ts';
import { passwordLogin } from '../../up/identity.ts';
import type { LiveKeystone } from './live-keystone.ts';
import type { LocalKeystones } from './local-keystones.ts';
import { loneKeystone, ref } from './lone-keystone.ts';
import { restartsOf } from './pods.ts';
import { secretLeaks } from './secret-leaks.ts';

const cache = { namespace: ref.namespace, name: 'keystone-cache' };
const database = { namespace: ref.namespace, name: 'mariadb' };

/** A login without Memcached must not take longer. */
const maxLoginTime = 2000;

/** Whether the preStop hook of a pod sleeps. */
const hookRuns = async () => (await ownProcesses()).some(({ command }) => command.join(' ').endsWith('sleep 5'));

describe('a Keystone during outages', () => {
  const stack = new AsyncDisposableStack();
  let cluster: LocalKeystones;
  let keystone: LiveKeystone;

  before(async () => {
    ({ cluster, keystone } = await loneKeystone(stack));
  });
  after(() => stack.disposeAsync());

  const cachePod = () =>
    eventually('Memcached runs', async () => {
      const { items } = await cluster.client.list(Pod, {
        namespace: ref.namespace,
        labelSelector: `app.kubernetes.io/name=memcached,app.kubernetes.io/instance=${cache.name}`,
      });
      return items.find(({ status }) => status?.phase === 'Running')?.metadata.name;
    });

  async function scaleOpenBao(replicas: number): Promise<void> {
    const set = { namespace: openbao.namespace, name: openbao.name };
    await cluster.client.patch(StatefulSet, set, 'merge', { spec: { replicas } });
  }

  async function replacePods(): Promise<void> {
    const old = restartsOf(await keystone.pods());
    for (const { metadata } of await keystone.pods()) await cluster.client.delete(Pod, metadata);
    await eventually('the old pods are deleted', async () =>
      restartsOf(await keystone.pods()).every((each) => !old.includes(each)),
    );
    await keystone.untilReady();
  }

  /**
   * Logs in several times, two at a time, so that each process of uWSGI serves one; fails when a login takes too long.
   */
  async function checkLogins(): Promise<void> {
    const password = await keystone.password();
    const login = async () => {
      const began = performance.now();
      assert.ok(await keystone.identity.login(passwordLogin(password)));
      const took = Math.round(performance.now() - began);
      assert.ok(took < maxLoginTime, `a login took ${took} ms`);
    };
    for (let round = 0; round < 4; round += 1) await Promise.all([login(), login()]);
  }

  test('a pod that is deleted finishes the requests in flight', async () => {
    const [pod] = await keystone.pods();
    assert.ok(pod);
    await keystone.login();
    await signalPod('mariadb-0', 'mariadbd', 'SIGSTOP');
    let hasEnded = false;
    const login = Promise.allSettled([keystone.login().finally(() => (hasEnded = true))]);
    let terminated: number;
    try {
      await cluster.client.delete(Pod, pod.metadata);
      // When the hook has ended, uWSGI gets SIGTERM, which it logs only when its workers have ended.
      await eventually('the hook runs', hookRuns);
      await eventually('the hook has ended', async () => !(await hookRuns()));
      terminated = performance.now();
      await setTimeout(500);
      assert.equal(hasEnded, false, 'the login had ended before SIGTERM');
    } finally {
      await signalPod('mariadb-0', 'mariadbd', 'SIGCONT');
    }
    assert.equal((await login)[0].status, 'fulfilled');
    await eventually('the pod is deleted', async () => (await cluster.client.find(Pod, pod.metadata)) === undefined);
    const took = Math.round(performance.now() - terminated);
    assert.ok(took < 10_000, `the pod ended ${took} ms after SIGTERM`);
    await eventually('another pod serves', () => keystone.login().catch(() => undefined));
    await keystone.untilReady();
  });

  test('tokens are issued within two seconds while Memcached is frozen or stopped', async () => {
    const pod = await cachePod();
    await keystone.login();
    await signalPod(pod, 'memcached', 'SIGSTOP');
    try {
      await checkLogins();
    } finally {
      await signalPod(pod, 'memcached', 'SIGCONT');
    }
    await checkLogins();
    // A process retries an unresponsive server only after half a minute; a new process tries it at once.
    await replacePods();
    const lives = restartsOf(await keystone.pods());
    await checkLogins();
    await cluster.client.patch(Memcached, cache, 'merge', { spec: { replicas: 0 } });
    await eventually(
      'Memcached is deleted',
      async () => (await cluster.client.find(Pod, { namespace: ref.namespace, name: pod })) === undefined,
    );
    await checkLogins();
    await cluster.client.patch(Memcached, cache, 'merge', { spec: { replicas: 1 } });
    await cachePod();
    await checkLogins();
    assert.equal((await keystone.condition('Ready'))?.status, 'True');
    assert.deepEqual(restartsOf(await keystone.pods()), lives);
  });

  test('a stopped MariaDB is reported, restarts no pod, and is used again when it is back', async () => {
    const lives = restartsOf(await keystone.pods());
    await cluster.client.patch(MariaDB, database, 'merge', { spec: { replicas: 0 } });
    assert.match(await keystone.untilReason('DatabaseReady', 'ClusterNotReady'), /"mariadb" is not ready/);
    assert.equal((await keystone.condition('Ready'))?.status, 'False');
    await cluster.client.patch(MariaDB, database, 'merge', { spec: { replicas: 1 } });
    await keystone.untilReady();
    // Keystone reconnects every ten seconds, and its processes do not respond in the meantime.
    await eventually('tokens are issued again', () => keystone.login().catch(() => undefined));
    assert.deepEqual(restartsOf(await keystone.pods()), lives);
  });

  test('a stopped OpenBao is reported, and nothing that runs needs it', async () => {
    const lives = restartsOf(await keystone.pods());
    const password = await keystone.password();
    await scaleOpenBao(0);
    assert.match(await keystone.untilReason('SecretsReady', 'SecretStoreNotReady'), /backend unreachable/);
    assert.ok(await keystone.identity.login(passwordLogin(password)));
    await scaleOpenBao(1);
    await keystone.untilReady();
    assert.deepEqual(restartsOf(await keystone.pods()), lives);
  });

  test('no secret value appears outside of Secrets', async () => {
    assert.deepEqual(await secretLeaks(cluster), []);
  });
});
