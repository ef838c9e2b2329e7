// SPDX-License-Identifier: Apache-2.0
import type { Duration } from '../environment/duration.ts';
import { parseDuration } from '../environment/parse-duration.ts';

/** An option of a process: `metricsBindAddress` is `--metrics-bind-address` and the variable `METRICS_BIND_ADDRESS`. */
export interface Flag<T> {
  /** One line for `--help`. */
  readonly description: string;
  /** The placeholder of the value in `--help`; a flag without one is boolean. */
  readonly value?: string;
  /** Used when neither flag nor variable is set. */
  readonly default: T;
  /** Shown instead of the default when that depends on where the process runs. */
  readonly defaultText?: string;
  /** The environment variable, when not named after the flag; empty for none. */
  readonly variable?: string;
  /** Parses the text, or throws an error that says what is expected: `a port from 0 to 65535`. */
  readonly read: (text: string) => T;
}

/** Flags by name. */
export type Flags = Readonly<Record<string, Flag<unknown>>>;

/** The values of the flags. */
export type FlagValues<F extends Flags> = { readonly [K in keyof F]: F[K] extends Flag<infer T> ? T : never };

type Rest<T> = Omit<Flag<T>, 'description' | 'read' | 'value' | 'default'>;
type TextRest = Rest<string> & { readonly default?: string };

/** A text flag; empty unless it has a default. */
export function textFlag(description: string, value: string, rest: TextRest = {}): Flag<string> {
  return { description, value, default: '', read: (given) => given, ...rest };
}

/** A flag with names of Kubernetes, separated by commas; empty by default. */
export function namesFlag(description: string, rest: Rest<readonly string[]> = {}): Flag<readonly string[]> {
  return { description, value: 'name,…', default: [], read: readNames, ...rest };
}

/** Of a namespace. */
const label = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

function readNames(given: string): readonly string[] {
  const names = given.split(',').map((name) => name.trim());
  return names.every((name) => label.test(name)) ? [...new Set(names)] : fail('names separated by commas, such as a,b');
}

/** A boolean flag. */
export function booleanFlag(description: string, byDefault: boolean): Flag<boolean> {
  return {
    description,
    default: byDefault,
    read: (given) => given !== 'false' && (given === 'true' || fail('true or false')),
  };
}

/** A flag with a fixed set of values. */
export function choiceFlag<W extends string>(
  description: string,
  words: readonly W[],
  byDefault: W,
  rest: Rest<W> = {},
): Flag<W> {
  const read = (given: string) => words.find((word) => word === given) ?? fail(`one of ${words.join(', ')}`);
  return { description, value: words.join('|'), default: byDefault, read, ...rest };
}

/** A duration flag, such as `10m` or `1h30m`. */
export function durationFlag(description: string, byDefault: Duration, defaultText: string): Flag<Duration> {
  return { description, value: 'duration', default: byDefault, defaultText, read: readDuration };
}

function readDuration(given: string): Duration {
  return parseDuration(given) ?? fail('a duration such as 90s, 10m or 1h30m');
}

/** A listen address; undefined for none. */
export type Address = { host?: string; port: number } | undefined;

/** A listen address flag: `:8080` on every interface, `127.0.0.1:8080` on one, `0` to disable. */
export function addressFlag(description: string, byDefault: Address): Flag<Address> {
  return { description, value: 'address', default: byDefault, defaultText: addressText(byDefault), read: readAddress };
}

function readAddress(given: string): Address {
  if (given === '0') return undefined;
  const [, host = '', digits = ''] = /^(.*):(\d{1,5})$/.exec(given) ?? [];
  const port = Number(digits);
  if (digits === '' || port > 65_535) fail('an address such as :8080 or 127.0.0.1:8080, or 0 for none');
  return host === '' ? { port } : { host: host.replaceAll(/[[\]]/g, ''), port };
}

function addressText(where: Address): string {
  return where === undefined ? '0' : `${where.host ?? ''}:${where.port}`;
}

function fail(expected: string): never {
  throw new Error(expected);
}
