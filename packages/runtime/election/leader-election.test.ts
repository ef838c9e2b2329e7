// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { Client } from '@forge/kube/client/client.ts';
import { ConfigMap, Lease } from '@forge/kube/kinds/builtin.ts';
import { refusal } from '@forge/testing/refusal.ts';
import { testCluster, type TestCluster } from '@forge/testing/test-cluster.ts';
import { sleep } from '../environment/clock.ts';
import { minutes, seconds, type Duration } from '../environment/duration.ts';
import type { VirtualClock } from '../environment/virtual-clock.ts';
import { prometheusMetrics } from '../observability/prometheus-metrics.ts';
import { leaderElection, type Election } from './leader-election.ts';
import { leadingClient } from './leading-client.ts';

const lease = { namespace: 'default', name: 'keystone-operator' };
const configMap: ConfigMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'default' } };

function leads(election: Election): boolean {
  try {
    election.check();
    return true;
  } catch {
    return false;
  }
}

/** Time passes, but nothing of ours runs: no timer, no answer. */
function freeze(clock: VirtualClock, span: Duration): void {
  const thawed = clock.now() + span;
  clock.now = () => thawed;
  clock.monotonic = () => thawed;
}

describe('leader election', () => {
  let cluster: TestCluster;
  let stop: AbortController;

  beforeEach(async () => {
    cluster = await testCluster({ controllers: false });
    stop = new AbortController();
  });

  afterEach(async () => {
    stop.abort();
    await cluster[Symbol.asyncDispose]();
  });

  const live = async () => (await cluster.client.get(Lease, lease)).spec;
  const join = (identity: string, client: Client = cluster.connection.client) =>
    leaderElection({ ...cluster, client }, { lease, identity });
  /** A candidate that waits for its turn. */
  function waiting(identity: string, client?: Client): Election {
    const candidate = join(identity, client);
    candidate.win(stop.signal).catch(() => undefined);
    return candidate;
  }

  test('is won by the first, who then renews the Lease every two seconds with one request', async () => {
    const a = join('a');
    assert.equal(leads(a), false);
    await a.win(stop.signal);
    assert.equal(leads(a), true);
    assert.deepEqual(await live(), {
      holderIdentity: 'a',
      leaseDurationSeconds: 15,
      acquireTime: '2026-01-01T00:00:00.000000Z',
      renewTime: '2026-01-01T00:00:00.000000Z',
      leaseTransitions: 0,
    });
    cluster.connection.requests.length = 0;
    await cluster.clock.advance(seconds(60));
    assert.equal(cluster.connection.requests.length, 30);
    assert.ok(cluster.connection.requests.every((request) => request.startsWith('PUT')));
    assert.equal(leads(a), true);
    const { acquireTime, renewTime } = (await live()) ?? {};
    assert.deepEqual([acquireTime, renewTime], ['2026-01-01T00:00:00.000000Z', '2026-01-01T00:01:00.000000Z']);
    await a.resign();
  });

  test('leaves the others waiting while the leader renews', async () => {
    const a = join('a');
    await a.win(stop.signal);
    const b = waiting('b');
    await cluster.clock.advance(minutes(5));
    assert.deepEqual([leads(a), leads(b)], [true, false]);
    await a.resign();
  });

  test('passes on at once when the leader resigns', async () => {
    const a = join('a');
    await a.win(stop.signal);
    const b = waiting('b');
    await cluster.clock.advance(seconds(10));
    await a.resign();
    assert.deepEqual([leads(a), (await live())?.holderIdentity], [false, '']);
    await cluster.clock.advance(seconds(5));
    assert.equal(leads(b), true);
    assert.equal((await live())?.leaseTransitions, 1);
    await b.resign();
  });

  test('passes on at once also when the leader resigns during a renewal', async () => {
    const { promise: never } = Promise.withResolvers<Lease>();
    let renewals = 0;
    // The server receives the renewal, but its answer never arrives.
    const update: Client['update'] = async (kind, object, options) => {
      const answer = await cluster.connection.client.update(kind, object, options);
      return (renewals += 1) === 1 ? ((await never) as unknown as typeof answer) : answer;
    };
    const a = join('a', { ...cluster.connection.client, update });
    await a.win(stop.signal);
    await cluster.clock.advance(seconds(2));
    assert.equal(renewals, 1);
    await a.resign();
    assert.equal((await live())?.holderIdentity, '');
  });

  test('stays with the process that holds the Lease by now when a former leader resigns', async () => {
    const a = join('a');
    await a.win(stop.signal);
    await cluster.client.patch(Lease, lease, 'merge', { spec: { holderIdentity: 'b' } });
    await a.resign();
    assert.equal((await live())?.holderIdentity, 'b');
  });

  test('does not delay resigning when the server does not answer', async () => {
    const a = join('a');
    await a.win(stop.signal);
    cluster.connection.intercept = ({ signal }) =>
      new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)));
    let resigned = false;
    void a.resign().then(() => (resigned = true));
    await cluster.clock.advance(seconds(10));
    assert.equal(resigned, true);
  });

  test('gives up after ten seconds without a renewal, before anyone else may lead', async () => {
    const a = join('a');
    await a.win(stop.signal);
    const b = waiting('b', cluster.client);
    await cluster.clock.advance(seconds(20));
    cluster.connection.intercept = () => {
      throw new Error('connection refused');
    };
    const cut = cluster.clock.now();
    await cluster.clock.until(() => !leads(a));
    assert.equal(a.lost.aborted, true);
    assert.ok(cluster.clock.now() - cut <= seconds(10));
    await cluster.clock.until(() => leads(b));
    // The last renewal may have been up to two seconds old when the line was cut; the other looks every 2 to 4.4 seconds,
    // once to see it, once to see that it has run out.
    const pause = cluster.clock.now() - cut;
    assert.ok(pause >= seconds(13) && pause <= seconds(23.8), String(pause));
    await b.resign();
  });

  test('does not depend on other clocks', async () => {
    await cluster.client.create(Lease, {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: lease,
      spec: { holderIdentity: 'late', leaseDurationSeconds: 15, renewTime: '1999-01-01T00:00:00.000000Z' },
    });
    const a = waiting('a');
    await cluster.clock.advance(seconds(14));
    assert.equal(leads(a), false);
    await cluster.clock.advance(seconds(6));
    assert.equal(leads(a), true);
    await a.resign();
  });

  test('waits as long as the holder has the Lease, whatever its own duration is', async () => {
    await cluster.client.create(Lease, {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: lease,
      spec: { holderIdentity: 'another version', leaseDurationSeconds: 60 },
    });
    const a = waiting('a');
    await cluster.clock.advance(seconds(59));
    assert.equal(leads(a), false);
    await cluster.clock.advance(seconds(6));
    assert.equal(leads(a), true);
    await a.resign();
  });

  test('is not held up by a clock that is set back', async () => {
    await join('a').win(stop.signal);
    cluster.connection.intercept = () => {
      throw new Error('connection refused');
    };
    let setBack = 0;
    const clock = { ...cluster.clock, now: () => cluster.clock.now() - setBack };
    const b = leaderElection({ ...cluster, clock }, { lease, identity: 'b' });
    b.win(stop.signal).catch(() => undefined);
    await cluster.clock.advance(seconds(5));
    setBack = minutes(60);
    await cluster.clock.advance(seconds(15));
    assert.equal(leads(b), true);
    await b.resign();
  });

  test('is not lost to another process whose clock jumps forward', async () => {
    const a = join('a');
    await a.win(stop.signal);
    let ahead = 0;
    const clock = { ...cluster.clock, now: () => cluster.clock.now() + ahead };
    const b = leaderElection({ ...cluster, clock }, { lease, identity: 'b' });
    b.win(stop.signal).catch(() => undefined);
    await cluster.clock.advance(seconds(5));
    ahead = minutes(60);
    await cluster.clock.advance(seconds(30));
    assert.deepEqual([leads(a), leads(b)], [true, false]);
    await a.resign();
    await b.resign();
  });

  test('is won at once when nobody holds the Lease', async () => {
    await cluster.client.create(Lease, {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: lease,
      spec: { holderIdentity: '', leaseDurationSeconds: 15 },
    });
    const a = join('a');
    await a.win(stop.signal);
    assert.equal(leads(a), true);
    await a.resign();
  });

  test('is lost at once when another holds the Lease after all', async () => {
    const a = join('a');
    await a.win(stop.signal);
    await cluster.client.patch(Lease, lease, 'merge', { spec: { holderIdentity: 'b' } });
    await cluster.clock.advance(seconds(5));
    assert.deepEqual([leads(a), a.lost.aborted], [false, true]);
  });

  test('survives a renewal that is never answered', async () => {
    const a = join('a');
    await a.win(stop.signal);
    let sent = 0;
    cluster.connection.intercept = ({ method, signal }) => {
      if (method !== 'PUT' || (sent += 1) > 1) return undefined;
      return new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)));
    };
    await cluster.clock.advance(minutes(1));
    assert.ok(sent > 1);
    assert.equal(leads(a), true);
    await a.resign();
  });

  test('survives a refused renewal', async () => {
    const a = join('a');
    await a.win(stop.signal);
    let refused = 0;
    cluster.connection.intercept = ({ method }) => {
      if (method === 'PUT' && (refused += 1) <= 3) throw refusal(409, 'Conflict', 'the object has been modified');
    };
    await cluster.clock.advance(minutes(1));
    assert.ok(refused > 3);
    assert.equal(leads(a), true);
    await a.resign();
  });

  describe('of a leader whose request takes eight seconds', () => {
    let a: Election;

    beforeEach(async () => {
      const create: Client['create'] = async (kind, object, options) => {
        const answer = await cluster.connection.client.create(kind, object, options);
        await sleep(cluster.clock, seconds(8));
        return answer;
      };
      a = waiting('a', { ...cluster.connection.client, create });
      await cluster.clock.advance(seconds(8));
      assert.equal(leads(a), true);
    });

    test('counts from when it was sent', () => {
      freeze(cluster.clock, seconds(7));
      assert.equal(leads(a), false);
    });

    test('gives up ten seconds after it was sent', async () => {
      cluster.connection.intercept = () => {
        throw new Error('connection refused');
      };
      await cluster.clock.advance(seconds(2));
      assert.equal(a.lost.aborted, true);
    });
  });

  describe('of a process that was frozen', () => {
    test('starts no write after its Lease expired, although no timer has fired yet', async () => {
      const a = join('a');
      await a.win(stop.signal);
      const client = leadingClient(cluster.connection.client, a);
      await client.create(ConfigMap, configMap);
      cluster.connection.requests.length = 0;
      freeze(cluster.clock, seconds(15));
      const message = 'a does not hold the Lease keystone-operator: another process may';
      for (const write of [
        () => client.create(ConfigMap, configMap),
        () => client.update(ConfigMap, configMap),
        () => client.patch(ConfigMap, configMap.metadata, 'merge', {}),
        () => client.apply(ConfigMap, configMap, { fieldManager: 'test' }),
        () => client.delete(ConfigMap, configMap.metadata),
        () => client.deleteAll(ConfigMap, { namespace: 'default' }),
      ]) {
        await assert.rejects(write(), { name: 'NotLeading', message });
      }
      assert.deepEqual(cluster.connection.requests, []);
      assert.equal((await client.get(ConfigMap, configMap.metadata)).metadata.name, 'a');
    });

    test('sends nothing when its Lease expired while the connection was opened', async () => {
      const a = join('a');
      await a.win(stop.signal);
      const client = leadingClient(cluster.connection.client, a);
      cluster.connection.intercept = () => freeze(cluster.clock, seconds(15));
      await assert.rejects(client.create(ConfigMap, configMap), { name: 'NotLeading' });
      await assert.rejects(client.delete(ConfigMap, configMap.metadata), { name: 'NotLeading' });
      assert.equal(await cluster.client.find(ConfigMap, configMap.metadata), undefined);
    });

    test('starts no write after its machine was suspended, during which the monotonic clock may stand still', async () => {
      const a = join('a');
      await a.win(stop.signal);
      const resumed = cluster.clock.now() + seconds(15);
      cluster.clock.now = () => resumed;
      await assert.rejects(leadingClient(cluster.connection.client, a).create(ConfigMap, configMap), {
        name: 'NotLeading',
      });
    });

    test('does not renew an expired Lease', async () => {
      const a = join('a');
      await a.win(stop.signal);
      cluster.connection.requests.length = 0;
      freeze(cluster.clock, seconds(15));
      await cluster.clock.advance(seconds(2));
      assert.equal(a.lost.aborted, true);
      assert.deepEqual(cluster.connection.requests, []);
    });

    test('aborts the writes in flight', async () => {
      const a = join('a');
      await a.win(stop.signal);
      const client = leadingClient(cluster.connection.client, a);
      cluster.connection.intercept = ({ path, signal }) => {
        if (path.includes('leases')) throw new Error('connection refused');
        return new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason as Error));
        });
      };
      const own = new AbortController();
      const write = client.create(ConfigMap, configMap, { signal: own.signal });
      const cutOff = assert.rejects(write, { name: 'NotLeading' });
      freeze(cluster.clock, seconds(60));
      await cluster.clock.advance(seconds(10));
      await cutOff;
    });
  });

  test('shows who leads in a metric', async () => {
    const metrics = prometheusMetrics();
    const a = leaderElection({ ...cluster, client: cluster.connection.client, metrics }, { lease, identity: 'a' });
    const status = async () =>
      /leader_election_master_status\{name="keystone-operator"\} (\d)/.exec(await metrics.text())?.[1];
    await a.win(stop.signal);
    assert.equal(await status(), '1');
    await a.resign();
    assert.equal(await status(), '0');
  });
});
