// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { milliseconds, seconds } from '@forge/runtime/environment/duration.ts';
import { seededRandom } from '@forge/runtime/environment/seeded-random.ts';
import { virtualClock } from '@forge/runtime/environment/virtual-clock.ts';
import { fakeOpenBao, type FakeOpenBao } from './fake-openbao.ts';
import type { Server, ServerOptions } from './server.ts';
import type { Disk } from './state.ts';

const apiOf = (name: string) => `https://${name}.test:8200`;

/** Servers on one network, with what happens to them. */
function cluster(seed = 1) {
  const clock = virtualClock();
  const openbao: FakeOpenBao = fakeOpenBao({ clock, random: seededRandom(seed) });
  const http = openbao.reachedBy(clock);

  async function call(name: string, method: string, path: string, rest: { token?: string; body?: object } = {}) {
    const { token, body } = rest;
    let isDone = false;
    const sent = http.send({
      method,
      url: `${apiOf(name)}/v1/${path}`,
      headers: token === undefined ? {} : { 'x-vault-token': token },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      deadline: seconds(30),
      signal: new AbortController().signal,
    });
    void sent.catch(() => undefined).finally(() => (isDone = true));
    await clock.until(() => isDone);
    const { status, body: bytes } = await sent;
    return { status, body: bytes.length > 0 ? (JSON.parse(bytes.toString()) as Record<string, string>) : {} };
  }

  const health = async (name: string) => (await call(name, 'GET', 'sys/health')).status;

  /** How many seconds pass until the health of a server has this code. */
  async function untilHealth(name: string, code: number): Promise<number> {
    const begin = clock.now();
    for (let tries = 0; tries < 600 && (await health(name)) !== code; tries += 1)
      await clock.advance(milliseconds(100));
    assert.equal(await health(name), code);
    return (clock.now() - begin) / 1000;
  }

  function start(name: string, options: Partial<ServerOptions> = {}): Server {
    return openbao.start({
      api: apiOf(name),
      cluster: `${name}.test:8201`,
      nodeId: name,
      version: '2.7.2',
      disk: {},
      sealKey: 'key',
      retryJoin: () => (name === 'a' ? [] : [apiOf('a')]),
      ...options,
    });
  }

  return { clock, openbao, call, health, untilHealth, start };
}

/** Three voters, of which `a` leads; with their disks and the root token. */
async function threeVoters(seed = 1, version = '2.7.2') {
  const here = cluster(seed);
  const disks: Record<string, Disk> = { a: {}, b: {}, c: {} };
  const servers = new Map(Object.entries(disks).map(([name, disk]) => [name, here.start(name, { disk, version })]));
  await here.untilHealth('a', 501);
  const { body } = await here.call('a', 'PUT', 'sys/init', { body: {} });
  await here.clock.advance(seconds(40));
  return { ...here, disks, servers, root: body['root_token'] ?? '' };
}

describe('fake OpenBao servers', () => {
  test('take their time: init 7.8 s, a joiner 503 and 429 five seconds later, a voter after ten to twenty', async () => {
    const { clock, openbao, call, health, untilHealth, start } = cluster();
    start('a');
    await untilHealth('a', 501);
    const begin = clock.now();
    const { body } = await call('a', 'PUT', 'sys/init', { body: {} });
    assert.equal(clock.now() - begin, 7800);
    assert.equal(await health('a'), 200);
    const joiner = start('b');
    await untilHealth('b', 503);
    const took = await untilHealth('b', 429);
    assert.ok(took > 4.8 && took < 5.3, `${took}`);
    const isVoter = () => joiner.options.disk.store?.copy.peers.some(({ id, voter }) => id === 'b' && voter) === true;
    await clock.advance(seconds(9));
    assert.equal(isVoter(), false);
    await clock.advance(seconds(12));
    assert.equal(isVoter(), true);
    assert.ok(openbao.at(apiOf('b')) === joiner && body['root_token']?.startsWith('s.'));
  });

  test('elect another leader: soon after a step-down, later after a stop, latest after a kill', async () => {
    for (const [how, from, to] of [
      ['step-down', 0.6, 1],
      ['stopped', 7.5, 8.5],
      ['killed', 11, 17.5],
    ] as const) {
      const { clock, openbao, call, health, servers, root } = await threeVoters();
      const begin = clock.now();
      if (how === 'step-down') assert.equal((await call('b', 'PUT', 'sys/step-down', { token: root })).status, 204);
      else openbao.end(servers.get('a') as Server, how);
      const leads = async () => (await health('b')) === 200 || (await health('c')) === 200;
      for (let tries = 0; tries < 300 && !(await leads()); tries += 1) await clock.advance(milliseconds(100));
      const took = (clock.now() - begin) / 1000;
      assert.ok((await leads()) && took >= from && took <= to, `${how}: ${took}`);
    }
  });

  test('of 2.6 never lead again once 2.7 has led, and a 2.7 heals them', async () => {
    const { clock, openbao, disks, servers, health, start, untilHealth } = await threeVoters();
    for (const server of servers.values()) openbao.end(server, 'stopped');
    for (const [name, disk] of Object.entries(disks)) start(name, { disk, version: '2.6.2' });
    await clock.advance(seconds(60));
    assert.deepEqual(await Promise.all(['a', 'b', 'c'].map(health)), [429, 429, 429]);
    start('c', { disk: disks['c'] as Disk });
    await untilHealth('c', 200);
  });

  test('do not lead without a quorum, and lead again with one', async () => {
    const { clock, openbao, disks, servers, health, start, untilHealth } = await threeVoters();
    for (const name of ['b', 'c']) openbao.end(servers.get(name) as Server, 'killed');
    await clock.advance(seconds(4));
    assert.equal(await health('a'), 429);
    start('b', { disk: disks['b'] as Disk });
    await untilHealth('b', 429);
    await clock.advance(seconds(20));
    assert.ok((await health('a')) === 200 || (await health('b')) === 200);
  });

  test('go on leading when the others are back before they notice', async () => {
    const { clock, openbao, disks, servers, health, start } = await threeVoters();
    for (const name of ['b', 'c']) openbao.end(servers.get(name) as Server, 'killed');
    start('b', { disk: disks['b'] as Disk });
    await clock.advance(seconds(4));
    assert.equal(await health('a'), 200);
  });

  test('do not lead with half of the voters', async () => {
    const { clock, openbao, call, health, untilHealth, start } = cluster();
    start('a');
    await untilHealth('a', 501);
    await call('a', 'PUT', 'sys/init', { body: {} });
    const other = start('b');
    await clock.advance(seconds(40));
    openbao.end(other, 'killed');
    await clock.advance(seconds(4));
    assert.equal(await health('a'), 429);
  });

  test('do not follow one that has missed a change: it would be lost', async () => {
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      const { clock, openbao, call, disks, servers, health, root, start } = await threeVoters(seed);
      openbao.end(servers.get('c') as Server, 'killed');
      await call('a', 'POST', 'sys/policies/acl/new', { token: root, body: { policy: 'path "x" {}' } });
      openbao.end(servers.get('a') as Server, 'killed');
      start('c', { disk: disks['c'] as Disk });
      await clock.advance(seconds(10));
      assert.deepEqual([await health('b'), await health('c')], [200, 429], `seed ${seed}`);
    }
  });

  test('stay sealed with another key, and a new disk is empty', async () => {
    const { openbao, disks, servers, start, untilHealth } = await threeVoters();
    openbao.end(servers.get('c') as Server, 'killed');
    start('c', { disk: disks['c'] as Disk, sealKey: 'other' });
    await untilHealth('c', 503);
    start('c', { disk: {}, retryJoin: () => [] });
    await untilHealth('c', 501);
  });

  test('let nobody join with another key', async () => {
    const { clock, call, health, untilHealth, start } = cluster();
    start('a');
    await untilHealth('a', 501);
    await call('a', 'PUT', 'sys/init', { body: {} });
    const joiner = start('b', { sealKey: 'other' });
    await clock.advance(seconds(40));
    assert.deepEqual([await health('b'), joiner.options.disk.store], [501, undefined]);
  });

  test('report a change when they are stopped, and none when they are killed', async () => {
    for (const how of ['stopped', 'killed'] as const) {
      const { openbao, untilHealth, start } = cluster();
      let changes = 0;
      const server = start('a', { onChange: () => (changes += 1) });
      await untilHealth('a', 501);
      changes = 0;
      openbao.end(server, how);
      assert.equal(changes, how === 'stopped' ? 1 : 0);
    }
  });

  test('hang, answer late, are sealed and leaderless on demand', async () => {
    const { clock, openbao, call, health, servers } = await threeVoters();
    const a = servers.get('a') as Server;
    a.trouble = 'hangs';
    await assert.rejects(call('a', 'GET', 'sys/health'), /timed out after 30 s waiting for the response headers/);
    a.trouble = { slow: seconds(5) };
    const begin = clock.now();
    assert.equal(await health('a'), 200);
    assert.equal(clock.now() - begin, 5000);
    a.trouble = undefined;
    openbao.raft.isLeaderless = true;
    await clock.advance(seconds(60));
    assert.deepEqual(await Promise.all(['a', 'b', 'c'].map(health)), [429, 429, 429]);
    openbao.raft.isLeaderless = false;
    await clock.advance(seconds(5));
    openbao.seal(a);
    assert.equal(await health('a'), 503);
  });

  test('give the same run for the same seed', async () => {
    const [one, same, other] = [await threeVoters(7), await threeVoters(7), await threeVoters(8)];
    assert.equal(one.root, same.root);
    assert.deepEqual(one.disks, same.disks);
    assert.notEqual(one.root, other.root);
  });
});
