// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  CustomResourceDefinition,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '@forge/kube/kinds/builtin.ts';
import { admissionPolicyObjects } from '@forge/runtime/webhook/admission-policy.ts';
import { admissionCluster, type AdmissionCluster } from '@forge/testing/admission-cluster.ts';
import fc from 'fast-check';
import { configKeys, type ConfigKey } from '../api/config-keys.ts';
import { configLimitRules, configRules, ordinarySettings } from '../api/config-rules.ts';
import { OpenBaoCluster } from '../api/openbao-cluster.ts';
import { permissiveDefinition } from '../test/admission/check-admission.ts';
import { configCases } from '../test/admission/config-cases.ts';
import { openbaoFixture } from '../test/openbao-fixture.ts';
import { together } from './optional-rule.ts';

const places = { config: 'object.spec.config', version: 'object.spec.version' };
const shortcut = ordinarySettings(places);
const all = together([...configLimitRules(places), ...configRules(places)]).expression;

const ordinary: Readonly<Record<ConfigKey['type'], readonly string[]>> = {
  bool: ['true', 'false', ''],
  int: ['0', '-1', '1048576', ''],
  permissions: ['0755', '644', ''],
  // Leases may last 768h.
  duration: ['768h', '767h60m', '46080.0m', ''],
  text: ['/var/log/bao.log', 'a b é', ''],
};

const settings = Object.entries(configKeys);
const values = [
  ...Object.values(ordinary).flat(),
  '1h'.repeat(2049),
  'x'.repeat(4097),
  ' true ',
  '00',
  'a\nb',
  'a${b}',
  '$',
];
const hostileKeys = ['listener', 'log_file\nx', 'log_file=x', 'ui\ntrue', '', 'k'.repeat(129)];
const key = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...settings.map(([name]) => name)) },
  fc.constantFrom(...hostileKeys),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
);
const value = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...values) },
  fc.constantFrom(...settings.flatMap(([, each]) => each.values ?? [])),
  fc.string({ unit: 'binary-ascii', maxLength: 12 }),
);

describe('the shortcut of the rules about settings', () => {
  let cluster: AdmissionCluster;
  before(async () => {
    cluster = await admissionCluster({ kinds: [], namespaces: [] });
    const { client, clock } = cluster;
    await client.create(CustomResourceDefinition, permissiveDefinition());
    const [policy, binding] = admissionPolicyObjects({
      name: 'shortcut',
      kind: OpenBaoCluster,
      rules: [
        { expression: `object.metadata.name != 'unsound' || !(${shortcut}) || (${all})`, message: 'it is not sound' },
        { expression: `object.metadata.name != 'ordinary' || (${shortcut})`, message: 'it is not taken' },
      ],
    });
    await client.create(ValidatingAdmissionPolicy, policy);
    await client.create(ValidatingAdmissionPolicyBinding, binding);
    await clock.until(() => isAccepted('ordinary', { listener: 'x' }).then((accepted) => !accepted));
  });
  after(() => cluster[Symbol.asyncDispose]());

  const create = (name: string, config: Record<string, string>, version = '2.7.2') => {
    const { metadata, ...rest } = openbaoFixture({ config, version });
    return cluster.client.create(OpenBaoCluster, { ...rest, metadata: { ...metadata, name } }, { dryRun: true });
  };
  const isAccepted = (name: string, config: Record<string, string>) =>
    create(name, config).then(
      () => true,
      () => false,
    );

  test('holds for every setting with an ordinary value, and for all of them together', async () => {
    for (const [name, { type, values: choices }] of settings) {
      for (const each of choices ?? ordinary[type]) await create('ordinary', { [name]: each });
    }
    const whole = settings.map(([name, { type, values: choices }]) => [name, (choices ?? ordinary[type])[0] ?? '']);
    await create('ordinary', Object.fromEntries(whole) as Record<string, string>);
  });

  test('holds nowhere where a rule does not', async () => {
    for (const { change } of configCases) {
      const { config, version } = (change as { spec: { config: Record<string, string>; version?: string } }).spec;
      await create('unsound', config, version);
    }
    for (const name of [...settings.map(([each]) => each), ...hostileKeys]) {
      for (const each of values) await create('unsound', { [name]: each });
    }
    const configs = fc.dictionary(key, value, { minKeys: 1, maxKeys: 4 });
    await fc.assert(
      fc.asyncProperty(configs, fc.constantFrom('2.4.4', '2.7.2'), async (config, version) => {
        assert.ok(await create('unsound', { ...config }, version));
      }),
      { numRuns: 300 },
    );
  });
});
