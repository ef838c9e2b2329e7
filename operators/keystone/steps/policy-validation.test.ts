// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ConfigMap, Deployment, Secret, type Pod } from '@forge/kube/kinds/builtin.ts';
import type { CatalogObserver } from '@forge/runtime/conditions/condition-catalog.ts';
import { minutes, now, seconds, type Duration } from '@forge/runtime/environment/duration.ts';
import { Keystone } from '../api/keystone.ts';
import { jobOf, setTag, tagOf, untilStart } from '../test/releases.ts';
import {
  allReady,
  createKeystone,
  home,
  startKeystoneOperator,
  type KeystoneOperator,
} from '../test/start-keystone-operator.ts';

const policyOverrides = { rules: { 'identity:list_users': 'role:reader' } };
const misspelled = (n = 0) => ({ policyOverrides: { rules: { 'identity:lst_users': `role:reader${n}` } } });
const failed = 'PolicyValidationFailed: Policy validation failed: Unknown rule';
const passed = '+PolicyValidationPassed: Policy validation completed successfully';

interface Script {
  /** Whether the validator refuses, by the tag of its image. */
  refuses: (tag: string | undefined) => boolean;
  /** What it says then. */
  message: (pod: Pod) => string;
  /** How long db_sync takes. */
  dbSync: Duration;
}

/** The operator, with a validator that can be scripted. */
async function validating(observer?: CatalogObserver) {
  const script: Script = { refuses: () => false, message: () => 'Unknown rule', dbSync: now };
  const operator = await startKeystoneOperator((component, pod) => {
    if (component === 'db-sync') return { exit: { code: 0, after: script.dbSync } };
    if (component !== 'validator' || !script.refuses(tagOf(pod.spec))) return {};
    return { exit: { code: 1, after: seconds(1), message: script.message(pod) } };
  }, observer && { observer });
  return { operator, script };
}

/** A Keystone with policy overrides that were found valid. */
async function installed(observer?: CatalogObserver) {
  const { operator, script } = await validating(observer);
  await createKeystone(operator, { policyOverrides });
  await operator.untilCondition('Ready', allReady);
  return { operator, script };
}

const setSpec = async ({ cluster: { client } }: KeystoneOperator, spec: object) => {
  await client.patch(Keystone, home, 'merge', { spec });
};

/** Changes password and replicas, and waits until the pods have both; their ConfigMap and tag stay. */
async function changeEverythingElse(operator: KeystoneOperator): Promise<void> {
  const { client, clock } = operator.cluster;
  const before = await template(operator);
  const stringData = { password: 'rotated' };
  await client.patch(Secret, { ...home, name: 'keystone-db' }, 'merge', { stringData });
  await setSpec(operator, { replicas: 4 });
  await clock.until(async () => (await template(operator)).connection !== before.connection);
  await operator.untilCondition('DeploymentReady', '+DeploymentReady: Keystone API deployment is available');
  const { connection: _, ...after } = await template(operator);
  const { connection: __, ...expected } = before;
  assert.deepEqual(after, expected);
  assert.equal((await operator.deployment()).status?.readyReplicas, 4);
  assert.equal(await jobConfigMap(operator), expected.configMap);
}

/** The configuration that the schema was synced with. */
async function jobConfigMap(operator: KeystoneOperator): Promise<string | undefined> {
  return configMapOf((await jobOf(operator, 'db-sync'))?.spec?.template.spec);
}

function configMapOf(spec: Pod['spec']): string | undefined {
  return spec?.volumes?.find(({ configMap }) => configMap !== undefined)?.configMap?.name;
}

/** What the API pods are made from. */
async function template(operator: KeystoneOperator) {
  const { spec, metadata } = (await operator.deployment()).spec?.template ?? {};
  return {
    configMap: configMapOf(spec),
    tag: tagOf(spec),
    connection: Object.values(metadata?.annotations ?? {}).join(),
  };
}

/** Leaves status as an earlier version of the operator does. */
async function forgetValidConfig({ cluster: { client } }: KeystoneOperator): Promise<void> {
  await client.patch(Keystone, home, 'merge', { status: { validatedConfig: null } }, { subresource: 'status' });
}

const find = ({ cluster: { client } }: KeystoneOperator, name = '') => client.find(ConfigMap, { ...home, name });

describe('an invalid policy', () => {
  test('stops neither a new password nor more replicas; its correction is checked, then deployed', async () => {
    const { operator, script } = await installed();
    await using _ = operator;
    const { configMap } = await template(operator);
    script.refuses = () => true;
    await setSpec(operator, misspelled());
    await operator.untilCondition('PolicyValidReady', failed);
    await changeEverythingElse(operator);
    assert.equal(await operator.condition('PolicyValidReady'), failed);
    assert.equal((await template(operator)).configMap, configMap);
    script.refuses = () => false;
    await setSpec(operator, { policyOverrides: { rules: { 'identity:lst_users': null, 'identity:list_users': '!' } } });
    await operator.untilCondition('Ready', allReady);
    const { configMap: corrected } = await template(operator);
    assert.match((await find(operator, corrected))?.data?.['policy.yaml'] ?? '', /list_users: "!"/);
    const { validatedConfig, failedPolicyValidation } = (await operator.keystone()).status ?? {};
    assert.deepEqual([validatedConfig?.configMap, failedPolicyValidation], [corrected, undefined]);
  });

  test('that is corrected reaches the pods after the Jobs on the database have run with the correction', async () => {
    const { operator, script } = await installed();
    await using _ = operator;
    const { configMap } = await template(operator);
    script.dbSync = seconds(20);
    await setSpec(operator, { policyOverrides: { rules: { 'identity:list_users': '!' } } });
    await operator.cluster.clock.until(async () => (await jobConfigMap(operator)) !== configMap);
    await operator.cluster.clock.advance(seconds(10));
    assert.equal((await template(operator)).configMap, configMap);
    await operator.untilCondition('Ready', allReady);
    assert.equal((await template(operator)).configMap, await jobConfigMap(operator));
  });

  test('is explained by what the validator said last, about this very policy', async () => {
    const { operator, script } = await installed();
    await using _ = operator;
    script.refuses = () => true;
    const attempts = new Set<string>();
    script.message = ({ metadata: { name } }) => `Unknown rule, attempt ${[...attempts.add(name)].indexOf(name) + 1}`;
    await setSpec(operator, misspelled());
    await operator.untilCondition('PolicyValidReady', `${failed}, attempt 3`);
    script.message = () => '';
    await setSpec(operator, misspelled(1));
    await untilStart(operator, 'PolicyValidReady', 'PolicyValidationInProgress');
    await untilStart(operator, 'PolicyValidReady', 'PolicyValidationFailed: Policy validation failed; check Job');
  });

  test('stops neither where there was no policy before', async () => {
    const { operator, script } = await validating();
    await using _ = operator;
    await createKeystone(operator);
    await operator.untilCondition('Ready', allReady);
    script.refuses = () => true;
    await setSpec(operator, misspelled());
    await operator.untilCondition('PolicyValidReady', failed);
    await changeEverythingElse(operator);
  });

  test('stops neither when nobody remembers which configuration was valid last: it is the one that runs', async () => {
    const { operator, script } = await installed();
    await using _ = operator;
    const { configMap } = await template(operator);
    script.refuses = () => true;
    await setSpec(operator, misspelled());
    await operator.untilCondition('PolicyValidReady', failed);
    await forgetValidConfig(operator);
    await changeEverythingElse(operator);
    assert.equal((await operator.keystone()).status?.validatedConfig?.configMap, configMap);
  });

  test('keeps the last valid configuration from being pruned', async () => {
    const { operator, script } = await installed();
    await using _ = operator;
    const { configMap } = await template(operator);
    script.refuses = () => true;
    for (const n of [1, 2, 3, 4, 5, 6]) {
      await setSpec(operator, misspelled(n));
      await operator.cluster.clock.advance(seconds(30));
    }
    assert.equal((await template(operator)).configMap, configMap);
    assert.ok(await find(operator, configMap));
    const { items } = await operator.cluster.client.list(ConfigMap, {
      namespace: home.namespace,
      labelSelector: 'forge.c5c3.io/config-base=identity-config',
    });
    assert.equal(items.length, 5);
  });

  test('is said to be invalid also while it is checked again', async () => {
    const said = new Set<string>();
    const observer: CatalogObserver = {
      condition: ({ type, reason, message }) => void (type === 'PolicyValidReady' && said.add(`${reason}: ${message}`)),
      event: () => {},
    };
    const { operator, script } = await installed(observer);
    await using _ = operator;
    script.refuses = () => true;
    await setSpec(operator, misspelled());
    await operator.untilCondition('PolicyValidReady', failed);
    const first = (await jobOf(operator, 'policy-validation'))?.metadata.uid;
    said.clear();
    await operator.cluster.clock.advance(minutes(12));
    assert.notEqual((await jobOf(operator, 'policy-validation'))?.metadata.uid, first);
    assert.deepEqual([...said], [failed]);
    assert.equal(await operator.condition('PolicyValidReady'), failed);
  });

  test('says so when the last valid configuration is deleted; nothing changes until it is corrected', async () => {
    const { operator, script } = await installed();
    await using _ = operator;
    const { client, clock } = operator.cluster;
    const before = await operator.deployment();
    const { configMap = '' } = await template(operator);
    script.refuses = () => true;
    await setSpec(operator, misspelled());
    await operator.untilCondition('PolicyValidReady', failed);
    await client.delete(ConfigMap, { ...home, name: configMap });
    const gone =
      `ConfigError: ConfigMap openstack/${configMap} with the last valid configuration is gone: ` +
      'API pods stay as they are until that of spec is valid';
    await operator.untilCondition('SecretsReady', gone);
    await setSpec(operator, { replicas: 5 });
    await clock.advance(minutes(2));
    assert.deepEqual((await client.get(Deployment, home)).spec, before.spec);
    script.refuses = () => false;
    await setSpec(operator, misspelled(1));
    await operator.untilCondition('Ready', allReady);
    assert.equal((await operator.deployment()).spec?.replicas, 5);
  });

  test('keeps the pods of the release that knows it, with new passwords, when the next one does not', async () => {
    const { operator, script } = await installed();
    await using _ = operator;
    script.refuses = (tag) => tag === '2026.1';
    await setTag(operator, '2026.1');
    await operator.untilCondition('PolicyValidReady', failed);
    await changeEverythingElse(operator);
    assert.equal((await template(operator)).tag, '2025.2');
    await untilStart(operator, 'DatabaseReady', 'UpgradeRollingUpdate: Waiting');
    script.refuses = () => false;
    await setSpec(operator, { policyOverrides: { rules: { 'identity:list_users': '!' } } });
    await operator.untilCondition('Ready', allReady);
    assert.equal((await template(operator)).tag, '2026.1');
  });

  test('of a new Keystone starts no pod', async () => {
    const { operator, script } = await validating();
    await using _ = operator;
    script.refuses = () => true;
    await createKeystone(operator, { policyOverrides });
    await operator.untilCondition('PolicyValidReady', failed);
    await operator.cluster.clock.advance(minutes(1));
    assert.equal(await operator.cluster.client.find(Deployment, home), undefined);
    await setSpec(operator, { policyOverrides: null });
    await operator.untilCondition('Ready', allReady);
  });
});

describe('a configuration that cannot be rendered', () => {
  test('stops neither a new password nor more replicas; nothing else is said of the policy that is deployed', async () => {
    const { operator } = await installed();
    await using _ = operator;
    await setSpec(operator, { policyOverrides: { configMapRef: { name: 'policy' } } });
    const missing = 'not found: create it, or name another in spec.policyOverrides.configMapRef';
    await operator.untilCondition('SecretsReady', `ConfigError: ConfigMap openstack/policy ${missing}`);
    await changeEverythingElse(operator);
    assert.equal(await operator.condition('PolicyValidReady'), passed);
    await setSpec(operator, { policyOverrides: null });
    await operator.untilCondition('Ready', allReady);
  });

  test('stops neither when nobody remembers which one was valid last', async () => {
    const { operator } = await installed();
    await using _ = operator;
    await setSpec(operator, { policyOverrides: { configMapRef: { name: 'policy' } } });
    await untilStart(operator, 'SecretsReady', 'ConfigError');
    await forgetValidConfig(operator);
    await changeEverythingElse(operator);
  });

  test('says so when the last valid one is deleted, too', async () => {
    const { operator } = await installed();
    await using _ = operator;
    const { client } = operator.cluster;
    const { configMap = '' } = await template(operator);
    await setSpec(operator, { policyOverrides: { configMapRef: { name: 'policy' } } });
    await untilStart(operator, 'SecretsReady', 'ConfigError');
    await client.delete(ConfigMap, { ...home, name: configMap });
    await operator.untilCondition(
      'SecretsReady',
      'ConfigError: ConfigMap openstack/policy not found: create it, or name another in spec.policyOverrides.configMapRef; ' +
        `ConfigMap openstack/${configMap} with the last valid configuration is gone: API pods stay as they are until that of spec is valid`,
    );
    await setSpec(operator, { policyOverrides: { configMapRef: null, ...policyOverrides } });
    await operator.untilCondition('Ready', allReady);
  });
});
