// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { configKeys } from '../../api/config-keys.ts';
import type { OpenBaoCluster } from '../../api/openbao-cluster.ts';
import { seals, sealTypes } from '../../api/seals.ts';
import { telemetryFields } from '../../api/telemetry.ts';
import { openbaoFixture } from '../openbao-fixture.ts';

type Spec = OpenBaoCluster['spec'];

const pieces = [
  '"',
  '\\',
  '${',
  '}',
  '{',
  '$',
  '$${',
  '\n',
  '\t',
  '\r',
  '\u{0}',
  '\u{E123}',
  '\u{FEFF}',
  '\u{2028}',
  '\u{7F}',
  '\u{85}',
];
const words = ['#', '//', '/*', '*/', '<<EOF\n', '\\u0022', '%{', 'true', '= "x"', 'seal "x" {\n}', ' ', 'é', '🔑'];

/** Text that tries to end its string, to begin something else, or to be taken for something else. */
const hostile = fc
  .array(fc.oneof(fc.constantFrom(...pieces, ...words), fc.string({ unit: 'binary', maxLength: 4 })), { maxLength: 8 })
  .map((parts) => parts.join(''));
const named = hostile.map((text) => `${text}x`);
const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined });

/** A record without the fields that were left out. */
const partial = (fields: Readonly<Record<string, fc.Arbitrary<unknown>>>) => fc.record(fields, { requiredKeys: [] });

const config = partial(
  Object.fromEntries(
    Object.entries(configKeys).map(([name, { type, values }]) => {
      if (values !== undefined) return [name, fc.constantFrom(...values)];
      if (type === 'bool') return [name, fc.constantFrom('true', 'false', ' true', '')];
      if (type === 'int') return [name, fc.integer().map(String)];
      return [name, hostile];
    }),
  ),
);

const unseal = fc.oneof(
  ...sealTypes.map((type) => {
    const { block, fields } = seals[type];
    const values = Object.entries(fields).map(([name, field]) => [
      name,
      field.type === 'bool' ? fc.boolean() : field.values === undefined ? hostile : fc.constantFrom(...field.values),
    ]);
    return partial(Object.fromEntries(values) as Record<string, fc.Arbitrary<unknown>>).map((settings) => ({
      type,
      [block]: settings,
    }));
  }),
);

const options = fc.dictionary(hostile, hostile, { maxKeys: 4 });
const device = fc.oneof(
  fc.record({
    type: fc.constantFrom('file', 'syslog', 'socket', 'http'),
    path: named,
    description: maybe(hostile),
    options,
  }),
  fc.record({ type: fc.constant('file'), path: named, file: fc.record({ filePath: named, mode: maybe(hostile) }) }),
  fc.record({
    type: fc.constant('http'),
    path: named,
    http: fc.record({ uri: named, headers: maybe(fc.dictionary(hostile, fc.array(hostile))) }),
  }),
  fc.record({
    type: fc.constant('syslog'),
    path: named,
    syslog: fc.record({ facility: maybe(hostile), tag: maybe(hostile) }),
  }),
  fc.record({
    type: fc.constant('socket'),
    path: named,
    socket: fc.record({ address: named, socketType: maybe(hostile), writeTimeout: maybe(hostile) }),
  }),
);

const plugin = fc.record({
  type: fc.constantFrom('secret', 'auth', 'database', 'kms'),
  name: named,
  image: maybe(named),
  command: maybe(named),
  version: maybe(named),
  binaryName: maybe(named),
  sha256sum: named,
  args: maybe(fc.array(hostile, { maxLength: 3 })),
  env: maybe(fc.array(hostile, { maxLength: 3 })),
});

const telemetry = partial(
  Object.fromEntries(
    Object.entries(telemetryFields).map(([name, field]) => {
      const type = 'type' in field ? field.type : 'text';
      if (type === 'bool') return [name, fc.boolean()];
      if (type === 'int') return [name, fc.nat()];
      return [name, type === 'texts' ? fc.array(hostile, { maxLength: 3 }) : hostile];
    }),
  ),
);

const tls = fc.oneof(
  fc.constant({ enabled: true, mode: 'External' }),
  fc.record({
    enabled: fc.constant(true),
    mode: fc.constant('ACME'),
    acme: fc.record({
      directoryURL: named,
      domains: fc.array(named, { minLength: 1, maxLength: 3 }),
      email: maybe(hostile),
    }),
  }),
);

/** Clusters with hostile text in every field that reaches config.hcl. */
export const hostileClusters: fc.Arbitrary<OpenBaoCluster> = fc
  .record({
    config,
    unseal,
    tls,
    telemetry: maybe(telemetry),
    audit: fc.array(device, { maxLength: 3 }),
    plugins: fc.array(plugin, { maxLength: 3 }),
  })
  // As in a request, without fields that are undefined.
  .map((spec) => openbaoFixture(JSON.parse(JSON.stringify(spec)) as Partial<Spec>));
