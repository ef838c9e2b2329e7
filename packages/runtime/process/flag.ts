// SPDX-License-Identifier: Apache-2.0
import type { Duration } from '../time/duration.ts';
import { parseDuration } from './parse-duration.ts';

/** An option of a process: `metricsBindAddress` is the flag `--metrics-bind-address` and the variable `METRICS_BIND_ADDRESS`. */
export interface Flag<T> {
  /** One line for `--help`. */
  readonly description: string;
  /** What stands for the value in `--help`; a flag without one is on when it is named. */
  readonly value?: string;
  /** Taken when neither flag nor variable is given. */
  readonly default: T;
  /** Shown instead of the default when that depends on where the process runs. */
  readonly defaultText?: string;
  /** Another variable than the one of the flag's name; empty: none. */
  readonly variable?: string;
  /** Reads the text, or throws an error that says what is expected: `a port from 0 to 65535`. */
  readonly read: (text: string) => T;
}

type Rest<T> = Omit<Flag<T>, 'description' | 'read' | 'value' | 'default'>;

/** A flag that is any text; empty unless given. */
export function textFlag(description: string, value: string, rest: Rest<string> = {}): Flag<string> {
  return { description, value, default: '', read: (given) => given, ...rest };
}

/** A flag that is on or off. */
export function booleanFlag(description: string, byDefault: boolean): Flag<boolean> {
  return {
    description,
    default: byDefault,
    read: (given) => given !== 'false' && (given === 'true' || fail('true or false')),
  };
}

/** A flag that is one of a few words. */
export function choiceFlag<W extends string>(
  description: string,
  words: readonly W[],
  byDefault: W,
  rest: Rest<W> = {},
): Flag<W> {
  const read = (given: string) => words.find((word) => word === given) ?? fail(`one of ${words.join(', ')}`);
  return { description, value: words.join('|'), default: byDefault, read, ...rest };
}

/** A flag that is a span of time, as `10m` or `1h30m`. */
export function durationFlag(description: string, byDefault: Duration, defaultText: string): Flag<Duration> {
  return { description, value: 'duration', default: byDefault, defaultText, read: readDuration };
}

function readDuration(given: string): Duration {
  return parseDuration(given) ?? fail('a duration such as 90s, 10m or 1h30m');
}

/** Where something listens; undefined when nowhere. */
export type Address = { host?: string; port: number } | undefined;

/** A flag that is a place to listen: `:8080` on every interface, `127.0.0.1:8080` on one, `0` nowhere. */
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
