// SPDX-License-Identifier: Apache-2.0
import { configKeys, protectedStanzas } from '../../api/config-keys.ts';
import { spec, type AdmissionCase } from './admission-case.ts';

const config = (settings: Readonly<Record<string, string>>) => spec({ config: settings });

/** A setting that is refused, and one that is not; schema and policy say the same. */
function setting(
  name: string,
  given: Readonly<Record<string, string>>,
  right: Readonly<Record<string, string>>,
  said: string,
): AdmissionCase {
  return { name, change: config(given), corrected: config(right), schema: ['spec.config', said], policy: said };
}

const samples = {
  bool: { wrong: ['yes', 'True', '1'], right: ' true ', remedy: 'must be true or false' },
  int: {
    wrong: ['1.5', '007', 'many', '10 0', '9'.repeat(16)],
    right: '-1',
    remedy: 'must be a whole number, for example 1048576',
  },
  permissions: {
    wrong: ['rwxr-xr-x', '999', '0o755', '07', '00755'],
    right: '0755',
    remedy: 'must be permissions in octal digits, for example 0755',
  },
  duration: {
    wrong: ['7d', '60', '1h 30m'],
    right: '767h60m',
    remedy: 'must be a duration such as 720h, 1h30m or 30s',
  },
} as const;

const typeCases = Object.entries(configKeys).flatMap(([key, { type, values }]) => {
  if (type === 'text' || values !== undefined) return [];
  const { wrong, right, remedy } = samples[type];
  const said = `spec.config.${key} ${remedy}`;
  return wrong.map((value) => setting(`spec.config.${key} "${value}"`, { [key]: value }, { [key]: right }, said));
});

const choiceCases = Object.entries(configKeys).flatMap(([key, { values }]) =>
  values === undefined
    ? []
    : [
        setting(
          `spec.config.${key} "loud"`,
          { [key]: 'loud' },
          { [key]: values.at(-1) ?? '' },
          `spec.config.${key} must be one of ${values.join(', ')}`,
        ),
      ],
);

const never = [
  'ha_storage',
  'service_registration',
  'api_addr',
  'cluster_addr',
  'initialize',
  'telemetry',
  'audit',
  'plugin',
];
const unknown = [...never, 'disable_clustering', 'logLevel', 'log-level', '', 'k'.repeat(129)];
const many = Object.fromEntries(Array.from({ length: 65 }, (_, index) => [`key_${index}`, 'x']));
const tooLong = 'x'.repeat(4097);

/** The settings of the server. */
export const configCases: readonly AdmissionCase[] = [
  ...protectedStanzas.map((stanza) =>
    setting(
      `the stanza ${stanza} among the settings`,
      { [stanza]: 'x' },
      { log_level: 'debug' },
      'spec.config may not contain protected stanzas: listener, storage, seal',
    ),
  ),
  ...unknown.map((key) => ({
    ...setting(
      `the setting "${key.slice(0, 20)}"`,
      { [key]: 'x' },
      { log_file: 'x' },
      `spec.config.${key} cannot be set there: use only the snake_case keys`,
    ),
    policy: /^[a-z0-9_]{1,128}$/.test(key)
      ? `spec.config.${key} cannot be set there`
      : 'a key of spec.config is not in snake_case',
  })),
  {
    ...setting('65 settings', many, { log_file: 'x' }, 'must have at most 64 items'),
    policy: 'spec.config has too many entries: use at most 64',
  },
  {
    name: 'a setting of 4097 characters',
    change: config({ log_file: tooLong }),
    corrected: config({ log_file: tooLong.slice(1) }),
    schema: ['spec.config.log_file', 'may not be more than 4096'],
    policy: 'a value of spec.config is too long: use at most 4096 characters',
  },
  ...typeCases,
  ...choiceCases,
  ...['a\nb', 'a\u0000b', 'a\u007fb', 'a${b}'].map((value) =>
    setting(
      `the characters ${JSON.stringify(value)} in a setting`,
      { log_file: value },
      { log_file: 'a$b é' },
      'a value of spec.config has a control character or ${',
    ),
  ),
  ...[
    [{ default_lease_ttl: '769h' }, { default_lease_ttl: '768h' }],
    [{ max_lease_ttl: '12h' }, { max_lease_ttl: ' 12h ', default_lease_ttl: '720m' }],
  ].map(([given = {}, right = {}]) =>
    setting(
      `leases that last longer than they may: ${JSON.stringify(given)}`,
      given,
      right,
      'spec.config.default_lease_ttl must not be longer than spec.config.max_lease_ttl, which are 768h when absent: set both',
    ),
  ),
  ...(
    [
      ['2.4.4', '2.5.0'],
      ['v2.4.0', 'v2.5.0'],
    ] as const
  ).map(([version, later]): AdmissionCase => {
    const said = 'spec.config.disable_standby_reads needs OpenBao 2.5.0 or later';
    return {
      name: `a setting that version ${version} does not know yet`,
      change: spec({ version, config: { disable_standby_reads: 'true' } }),
      corrected: spec({ version: later, config: { disable_standby_reads: 'true' } }),
      schema: ['spec.config', said],
      policy: said,
    };
  }),
];
