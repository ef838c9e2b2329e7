// SPDX-License-Identifier: Apache-2.0
import type { CelRule } from './cel-rule.ts';
import { configKeys, configLimits, protectedStanzas, type ConfigKey } from './config-keys.ts';
import { durationPart, durationPattern } from './duration.ts';

/** Where a rule finds the settings (a map, possibly empty) and the version, as CEL expressions. */
interface ConfigPlaces {
  readonly config: string;
  readonly version: string;
}

const listOf = (texts: readonly string[]) => `[${texts.map((text) => `'${text}'`).join(', ')}]`;
const keys = Object.entries(configKeys);

/** What a value must look like; blanks around it are trimmed, and an empty one is left out. */
const shapes: Readonly<Record<Exclude<ConfigKey['type'], 'text'>, { pattern: string; remedy: string }>> = {
  bool: { pattern: 'true|false', remedy: 'must be true or false' },
  int: { pattern: '-?(0|[1-9][0-9]{0,14})', remedy: 'must be a whole number, for example 1048576' },
  // The server exits when it cannot read them.
  permissions: { pattern: '[0-7]{3,4}', remedy: 'must be permissions in octal digits, for example 0755' },
  duration: { pattern: durationPattern, remedy: 'must be a duration such as 720h, 1h30m or 30s' },
};

/** The values of these keys have the pattern; the message names the first that has not. */
function shapeRule(names: readonly string[], { config }: ConfigPlaces, pattern: string, remedy: string): CelRule {
  const fits = `${config}[key].matches(r'^\\s*(${pattern})?\\s*$')`;
  const list = listOf(names);
  return {
    // Most clusters have few settings: checking those costs less than checking every possible one.
    expression: `${config}.all(key, !(key in ${list}) || ${fits})`,
    message: `a value of spec.config is not of its type: ${names.join(', ')} ${remedy}`,
    messageExpression: `'spec.config.' + ${list}.filter(key, key in ${config} && !(${fits}))[0] + ' ${remedy}'`,
  };
}

/** What the server takes where one of the two is not given. */
const defaultLeaseTtl = '768h';

/** Whether leases last by default as long as they may at most; values that are no durations are another rule's. */
function leasesFit(config: string, isDuration: (value: string) => string, trimmed: (value: string) => string): string {
  const ttl = (key: string) => {
    const value = `${config}['${key}']`;
    return `('${key}' in ${config} && ${isDuration(value)} ? duration(${trimmed(value)}) : duration('${defaultLeaseTtl}'))`;
  };
  return `${ttl('default_lease_ttl')} <= ${ttl('max_lease_ttl')}`;
}

/** The server exits when leases last longer by default than they may. */
function leaseRule({ config }: ConfigPlaces): CelRule {
  return {
    expression: leasesFit(
      config,
      (value) => `${value}.matches(r'^\\s*${durationPattern}\\s*$')`,
      (value) => `${value}.trim()`,
    ),
    message:
      'spec.config.default_lease_ttl must not be longer than spec.config.max_lease_ttl, ' +
      `which are ${defaultLeaseTtl} when absent: set both`,
  };
}

/** A pattern of the versions from the least supported one up to, but without, 2.N.0. */
const before = (since: NonNullable<ConfigKey['since']>) =>
  `^v?2[.](${Array.from({ length: Number(since.split('.')[1]) }, (_, minor) => minor).join('|')})[.]`;

/** Settings need a version that knows them. */
const versionRules = ({ config, version }: ConfigPlaces): readonly CelRule[] =>
  keys.flatMap(([name, { since }]) =>
    since === undefined
      ? []
      : [
          {
            expression: `!('${name}' in ${config}) || !${version}.matches(r'${before(since)}')`,
            message: `spec.config.${name} needs OpenBao ${since} or later: remove it, or raise spec.version`,
          },
        ],
  );

/** Every rule about `spec.config`, for the schema and for the admission policy. */
export function configRules(places: ConfigPlaces): readonly CelRule[] {
  const { config } = places;
  const allowed = listOf(keys.map(([name]) => name));
  const ofType = (type: ConfigKey['type']) =>
    keys.filter(([, key]) => key.type === type && key.values === undefined).map(([name]) => name);
  const remedy = 'use only the snake_case keys that the reference lists, at most 64 of them';
  return [
    {
      expression: `!(${protectedStanzas.map((stanza) => `'${stanza}' in ${config}`).join(' || ')})`,
      message: `spec.config may not contain protected stanzas: ${protectedStanzas.join(', ')}`,
    },
    {
      expression: `${config}.all(key, key in ${allowed} || key in ${listOf(protectedStanzas)})`,
      message: `spec.config has a key that cannot be set there: ${remedy}`,
      messageExpression: `'spec.config.' + ${config}.filter(key, !(key in ${allowed}))[0] + ' cannot be set there: ${remedy}'`,
    },
    ...(['bool', 'int', 'permissions', 'duration'] as const).map((type) =>
      shapeRule(ofType(type), places, shapes[type].pattern, shapes[type].remedy),
    ),
    ...keys.flatMap(([name, { values }]) =>
      values === undefined ? [] : [shapeRule([name], places, values.join('|'), `must be one of ${values.join(', ')}`)],
    ),
    {
      expression: `${config}.all(key, ${config}[key].matches(r'^[^\\x00-\\x1f\\x7f]*$') && !${config}[key].contains('\${'))`,
      message: 'a value of spec.config has a control character or ${: write it without, since nothing is interpolated',
    },
    leaseRule(places),
    ...versionRules(places),
  ];
}

/** Limits that a schema says by itself, for the policy. */
export function configLimitRules({ config }: Pick<ConfigPlaces, 'config'>): readonly CelRule[] {
  const { entries, keyLength, valueLength } = configLimits;
  return [
    {
      expression: `size(${config}) <= ${entries}`,
      message: `spec.config has too many entries: use at most ${entries}`,
    },
    {
      expression: `${config}.all(key, size(key) <= ${keyLength} && key.matches('^[a-z0-9_]+$'))`,
      message: `a key of spec.config is not in snake_case: use a-z, 0-9 and _, at most ${keyLength} characters`,
    },
    {
      expression: `${config}.all(key, size(${config}[key]) <= ${valueLength})`,
      message: `a value of spec.config is too long: use at most ${valueLength} characters`,
    },
  ];
}

/** What most values look like; all of them are short. */
const ordinary: Readonly<Record<ConfigKey['type'], string>> = {
  bool: shapes.bool.pattern,
  int: shapes.int.pattern,
  permissions: shapes.permissions.pattern,
  duration: `${durationPart}{1,4}`,
  text: '[^\\x00-\\x1f\\x7f$]{0,256}',
};

/**
 * Holds only where every rule about `spec.config` does, and looks at each setting once; not where values are long, have
 * blanks around them, or a `$`.
 */
export function ordinarySettings(places: ConfigPlaces): string {
  const { config } = places;
  const patterns = Map.groupBy(keys, ([, { type, values }]) => values?.join('|') ?? ordinary[type]);
  // A line feed separates key and value, since no key and no value of the pattern has one.
  const lines = [...patterns].map(([value, of]) => `(${of.map(([name]) => name).join('|')})\\n(${value})?`);
  const each = `(key + '\\n' + ${config}[key]).matches(r'^(${lines.join('|')})$')`;
  const leases = leasesFit(
    config,
    (value) => `${value} != ''`,
    (value) => value,
  );
  const versions = versionRules(places).map(({ expression }) => `(${expression})`);
  return [`${config}.all(key, ${each})`, leases, ...versions].join(' && ');
}
