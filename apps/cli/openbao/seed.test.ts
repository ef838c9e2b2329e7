// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { VaultError, type VaultHttp } from '@forge/cluster/stand-ins/external-secrets/vault-http.ts';
import type { JsonObject } from '@forge/kube/objects/json.ts';
import { seededRandom } from '@forge/runtime/environment/seeded-random.ts';
import { seed } from './seed.ts';

const target = { namespace: 'openstack', keystone: 'ks' };
const options = { mount: 'kv-v2', random: seededRandom() };
const database = 'kv-v2/data/openstack/keystone/openstack/ks/db';
const admin = 'kv-v2/data/bootstrap/openstack/ks/admin';

interface Written {
  data: Record<string, string>;
  options: { cas: number };
}

/** An API with this content, which records writes. */
function server(held: Record<string, JsonObject>): VaultHttp & { writes: [path: string, body: unknown][] } {
  const writes: [string, unknown][] = [];
  return {
    writes,
    async call(method, path, body) {
      if (method === 'GET') return held[path];
      writes.push([path, body]);
      return undefined;
    },
  };
}

describe('seeding', () => {
  test('writes generated credentials where there are none, and their metadata first', async () => {
    const api = server({});
    const seeded = await seed(api, target, options);
    assert.deepEqual(seeded, [
      { path: 'kv-v2/openstack/keystone/openstack/ks/db', outcome: 'written' },
      { path: 'kv-v2/bootstrap/openstack/ks/admin', outcome: 'written' },
    ]);
    const [mark, account = ['', {}], , administrator = ['', {}]] = api.writes;
    const marker = { custom_metadata: { 'managed-by': 'external-secrets' } };
    assert.deepEqual(mark, ['kv-v2/metadata/openstack/keystone/openstack/ks/db', marker]);
    const { data, options: conditions } = account[1] as Written;
    assert.equal(account[0], database);
    assert.equal(data['username'], 'ks');
    assert.match(data['password'] ?? '', /^[-\w]{32}$/);
    assert.deepEqual(conditions, { cas: 0 });
    assert.equal(administrator[0], admin);
    assert.notEqual((administrator[1] as Written).data['password'], data['password']);
  });

  test('keeps existing credentials', async () => {
    const held = { data: { data: { username: 'a', password: 'b' }, metadata: { version: 3 } } };
    const api = server({ [database]: held, [admin]: held });
    assert.deepEqual(
      (await seed(api, target, options)).map(({ outcome }) => outcome),
      ['kept', 'kept'],
    );
    assert.deepEqual(api.writes, []);
  });

  test('writes deleted credentials again, unless another client does at the same time', async () => {
    const api = server({ [database]: { data: { data: null, metadata: { version: 4 } } } });
    await seed(api, target, options);
    const [, [, body] = []] = api.writes;
    assert.deepEqual((body as Written).options, { cas: 4 });
  });

  test('names the keys that an existing path lacks', async () => {
    const api = server({ [database]: { data: { data: { username: 'a' } } } });
    await assert.rejects(seed(api, target, options), /openstack\/ks\/db exists without password\. Add what is missing/);
  });

  test('writes nothing when one of the paths must be corrected first, also because a value is empty', async () => {
    for (const data of [{}, { password: '' }, { password: 7 }]) {
      const api = server({ [admin]: { data: { data } } });
      await assert.rejects(seed(api, target, options), /openstack\/ks\/admin exists without password\./);
      assert.deepEqual(api.writes, []);
    }
  });

  for (const [status, remedy] of [
    [403, /Use a token with create, read and update on kv-v2\/data\/openstack\/keystone\/openstack\/ks\/db/],
    [404, /Enable a KV engine of version 2 at kv-v2, or name its mount/],
    [503, /Unseal OpenBao/],
  ] as const) {
    test(`names the remedy for a response with ${status}`, async () => {
      const failing = { call: () => Promise.reject(new VaultError('GET a', status, ['no'])) };
      await assert.rejects(seed(failing, target, options), remedy);
    });
  }
});
