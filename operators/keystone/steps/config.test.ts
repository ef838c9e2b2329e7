// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ConfigMap } from '@forge/kube/kinds/builtin.ts';
import { controllerReference } from '@forge/runtime/objects/owner-reference.ts';
import { Keystone } from '../api/keystone.ts';
import { keystoneFixture } from '../test/keystone-fixture.ts';
import {
  createCredentials,
  createKeystone,
  home,
  startKeystoneOperator,
  type KeystoneOperator,
} from '../test/start-keystone-operator.ts';

const policy = { ...home, name: 'policy' };
const policyOverrides = { configMapRef: { name: 'policy' }, rules: { inline: '!' } };

const policyConfigMap = (text: string): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: policy,
  data: { 'policy.yaml': text },
});

/** The ConfigMaps of the configuration, oldest first. */
async function configMaps({ cluster: { client } }: KeystoneOperator): Promise<ConfigMap[]> {
  const { items } = await client.list(ConfigMap, {
    namespace: home.namespace,
    labelSelector: 'forge.c5c3.io/config-base=identity-config',
  });
  return items.toSorted((a, b) => Number(a.metadata.resourceVersion) - Number(b.metadata.resourceVersion));
}

describe('the configuration', () => {
  test('stands in an immutable ConfigMap of the Keystone, named after its content', async () => {
    await using operator = await startKeystoneOperator();
    await createKeystone(operator);
    await operator.untilCondition('SecretsReady', '+SecretsAvailable: ');
    const [configMap, ...others] = await configMaps(operator);
    assert.deepEqual(others, []);
    assert.match(configMap?.metadata.name ?? '', /^identity-config-[0-9a-f]{8}$/);
    assert.equal(configMap?.immutable, true);
    assert.equal(configMap.metadata.ownerReferences?.[0]?.name, 'identity');
    assert.deepEqual(Object.keys(configMap.data ?? {}), ['keystone.conf', 'api-paste.ini']);
  });

  test('waits for the ConfigMap of policies, and follows its changes', async () => {
    await using operator = await startKeystoneOperator();
    const { client, clock } = operator.cluster;
    await createCredentials(operator);
    await client.create(Keystone, keystoneFixture({ policyOverrides }));
    const missing = 'not found: create it, or name another in spec.policyOverrides.configMapRef';
    await operator.untilCondition('SecretsReady', `ConfigError: ConfigMap openstack/policy ${missing}`);
    await client.create(ConfigMap, policyConfigMap('a: role:a'));
    await operator.untilCondition('SecretsReady', '+SecretsAvailable: ');
    await client.patch(ConfigMap, policy, 'merge', { data: { 'policy.yaml': 'a: role:b' } });
    await clock.settle();
    const texts = (await configMaps(operator)).map(({ data }) => data?.['policy.yaml']);
    assert.deepEqual(texts, ['a: role:a\ninline: "!"\n', 'a: role:b\ninline: "!"\n']);
  });

  for (const owner of ['nobody', 'another Keystone'] as const) {
    test(`is not taken from a ConfigMap that belongs to ${owner}`, async () => {
      await using operator = await startKeystoneOperator();
      const { client } = operator.cluster;
      await createKeystone(operator);
      await operator.untilCondition('SecretsReady', '+SecretsAvailable: ');
      const [original] = await configMaps(operator);
      assert.ok(original !== undefined);
      const { name } = original.metadata;
      await client.delete(Keystone, home);
      await operator.cluster.clock.until(async () => (await configMaps(operator)).length === 0);
      const { apiVersion, kind } = original;
      const metadata = { namespace: home.namespace, name };
      if (owner === 'nobody') await client.create(ConfigMap, { apiVersion, kind, metadata });
      else {
        const other = { ...keystoneFixture(), metadata: { ...home, name: 'other' } };
        const ownerReferences = [controllerReference(await client.create(Keystone, other))];
        await client.create(ConfigMap, { apiVersion, kind, metadata: { ...metadata, ownerReferences } });
      }
      await client.create(Keystone, keystoneFixture());
      const text = `existing ConfigMap openstack/${name} is not owned by openstack/identity`;
      await operator.untilCondition('SecretsReady', `ConfigError: ${text}`);
    });
  }
});
