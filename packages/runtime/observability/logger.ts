// SPDX-License-Identifier: Apache-2.0
import { inspect } from 'node:util';
import type { Clock } from '../environment/clock.ts';
import { errorText } from './error-text.ts';

const levels = ['debug', 'info', 'warn', 'error'] as const;

/** The log levels, by rising severity. */
export type LogLevel = (typeof levels)[number];

/** The fields of a log line besides its message. */
type LogFields = Readonly<Record<string, unknown>>;

/** A structured logger. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** The same logger, with these fields on every line. */
  with(fields: LogFields): Logger;
}

/** One line of a log. */
export interface LogEntry {
  time: number;
  level: LogLevel;
  message: string;
  fields: LogFields;
  /** Whether errors are written with their stack traces. Default: in one line. */
  stackTraces?: boolean;
}

/** A logger that passes entries of at least this level to `write`; at level debug with stack traces. */
export function logger(options: { clock: Clock; level?: LogLevel; write: (entry: LogEntry) => void }): Logger {
  const threshold = levels.indexOf(options.level ?? 'info');
  const traced = options.level === 'debug' ? { stackTraces: true } : {};
  function withFields(common: LogFields): Logger {
    const at = (level: LogLevel) => (message: string, fields?: LogFields) => {
      if (levels.indexOf(level) < threshold) return;
      options.write({ time: options.clock.now(), level, message, fields: { ...common, ...fields }, ...traced });
    };
    return {
      debug: at('debug'),
      info: at('info'),
      warn: at('warn'),
      error: at('error'),
      with: (fields) => withFields({ ...common, ...fields }),
    };
  }
  return withFields({});
}

/** An entry as one line of JSON, for machines. */
export function jsonLine({ time, level, message, fields, stackTraces = false }: LogEntry): string {
  const fixed = { time: new Date(time).toISOString(), level, message };
  const replacer = stackTraces ? replaceValueWithStack : replaceValue;
  // Named twice: they come first, and no field can override them.
  return (
    encoded({ ...fixed, ...fields, ...fixed }, replacer) ??
    JSON.stringify({ ...fixed, ...encodable(fields), ...fixed }, replacer)
  );
}

const notEncodable = '[cannot be written as JSON]';

/** The value as JSON; undefined when it cannot be encoded, for example a cycle: logging must never throw. */
function encoded(value: unknown, replacer = replaceValue): string | undefined {
  try {
    return JSON.stringify(value, replacer);
  } catch {
    return undefined;
  }
}

/** The fields, with those replaced that cannot be encoded. */
function encodable(fields: LogFields): LogFields {
  const entries = Object.entries(fields);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, encoded([value]) === undefined ? notEncodable : value]),
  );
}

const colours: Readonly<Record<LogLevel, number>> = { debug: 90, info: 32, warn: 33, error: 31 };

/** An entry as a line for people, with a coloured level on terminals. */
export function terminalLine(entry: LogEntry, coloured = false): string {
  const { time, level, message, fields, stackTraces = false } = entry;
  const clock = new Date(time).toISOString().slice(11, 19);
  const shown = Object.entries(fields).filter(([, value]) => value !== undefined);
  const rest = shown.map(([name, value]) => `${name}=${readable(value, stackTraces)}`);
  const weight = level.toUpperCase().padEnd(5);
  return [clock, coloured ? `\u001B[${colours[level]}m${weight}\u001B[0m` : weight, message, ...rest].join(' ');
}

function readable(value: unknown, stackTraces: boolean): string {
  if (value instanceof Error) return stackTraces ? inspect(value) : errorText(value);
  return typeof value === 'string'
    ? value
    : (encoded(value, stackTraces ? replaceValueWithStack : replaceValue) ?? notEncodable);
}

function replaceValueWithStack(key: string, value: unknown): unknown {
  return value instanceof Error ? inspect(value) : replaceValue(key, value);
}

/** Encodes what JSON cannot (errors) and redacts what it must not show (the content of Secrets). */
function replaceValue(_key: string, value: unknown): unknown {
  if (value instanceof Error) return errorText(value);
  if (typeof value === 'bigint') return String(value);
  if (!isSecret(value)) return value;
  const parts = Object.entries(value);
  return Object.fromEntries(parts.map(([name, part]) => [name, contents.has(name) ? '[redacted]' : (part as unknown)]));
}

const contents: ReadonlySet<string> = new Set(['data', 'stringData']);

function isSecret(value: unknown): value is object {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'Secret';
}
