// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '@forge/kube/objects/json.ts';
import { configureOpenBao } from './configure-openbao.ts';
import { policies } from './policies.ts';
import { credentialPaths } from './seed.ts';

/** The writes to an OpenBao with these mounts, by path. */
async function written(mounts: JsonObject, auths: JsonObject): Promise<Record<string, JsonObject | undefined>> {
  const writes: Record<string, JsonObject | undefined> = {};
  await configureOpenBao({
    async call(method, path, body) {
      if (method === 'GET') return { data: path === 'sys/mounts' ? mounts : auths };
      writes[path] = body;
      return undefined;
    },
  });
  return writes;
}

/** The capabilities that the policies grant at a path: `+` matches any segment, and a trailing `*` the rest. */
function allowed(path: string): string[] {
  const rules = Object.values(policies).flatMap((policy) => [
    ...policy.matchAll(/path "([^"]+)" \{\s*capabilities = (\[.*\])/g),
  ]);
  const granted = rules.flatMap(([, pattern = '', capabilities = '[]']) => {
    const expression = pattern.replaceAll('+', '[^/]+').replace(/\*$/, '.*');
    return new RegExp(`^${expression}$`).test(path) ? (JSON.parse(capabilities) as string[]) : [];
  });
  return [...new Set(granted)].toSorted();
}

describe('the configuration of OpenBao', () => {
  test('creates a KV mount of version 2 and a role with all policies', async () => {
    const writes = await written({}, {});
    assert.deepEqual(writes['sys/mounts/kv-v2'], { type: 'kv', options: { version: '2' } });
    assert.deepEqual(writes['sys/auth/kubernetes/management'], { type: 'kubernetes' });
    const role = writes['auth/kubernetes/management/role/eso-management'];
    assert.deepEqual(role?.['token_policies'], Object.keys(policies));
    assert.deepEqual(role['bound_service_account_names'], ['external-secrets']);
    assert.deepEqual(role['bound_service_account_namespaces'], ['external-secrets']);
    for (const [name, policy] of Object.entries(policies)) {
      assert.deepEqual(writes[`sys/policies/acl/${name}`], { policy });
    }
  });

  test('does not change existing mounts', async () => {
    const writes = await written({ 'kv-v2/': {} }, { 'kubernetes/management/': {} });
    assert.deepEqual(
      Object.keys(writes).filter((path) => /^sys\/(?:mounts|auth)\//.test(path)),
      [],
    );
    assert.ok('auth/kubernetes/management/role/eso-management' in writes);
  });

  test('allows External Secrets to read seeded credentials, and to write and delete only copies of keys', () => {
    const target = { namespace: 'openstack', keystone: 'ks' };
    for (const path of Object.values(credentialPaths(target))) {
      assert.deepEqual(allowed(`kv-v2/data/${path}`), ['read'], path);
      assert.deepEqual(allowed(`kv-v2/metadata/${path}`), [], path);
    }
    for (const copy of ['fernet-keys', 'credential-keys', 'admin/app-credential']) {
      for (const part of ['data', 'metadata']) {
        const path = `kv-v2/${part}/openstack/keystone/openstack/ks/${copy}`;
        assert.deepEqual(allowed(path), ['create', 'delete', 'read', 'update'], path);
        assert.ok(!allowed(`${path}/more`).includes('create'), path);
      }
    }
    assert.deepEqual(allowed('kv-v2/data/other/secret'), []);
  });
});
