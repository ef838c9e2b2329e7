// SPDX-License-Identifier: Apache-2.0
import { isObject } from '@forge/kube/objects/json.ts';

/** How much a log record says about a failure. */
type LogLevel = 'error' | 'warn' | 'info';

/** A log record of hclog, the logger of OpenBao, without its time. */
export interface GoLogRecord {
  readonly level: LogLevel;
  readonly text: string;
}

const textRecord = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\S* \[(TRACE|DEBUG|INFO|WARN|ERROR)\]\s+(.*)$/;

/** A value of several lines follows its record: its name alone, then its lines. */
const continuation = /^ {2}(?:(\w+=)$|\| (.*)$)/;

/** The record in a line, as text or as JSON; undefined for any other line. */
export function goLogRecord(line: string): GoLogRecord | undefined {
  const [, level, text] = textRecord.exec(line) ?? [];
  if (level !== undefined && text !== undefined) return { level: levelOf(level), text };
  return line.startsWith('{"@level":') ? jsonRecord(line) : undefined;
}

/** The part of a record that a line continues; undefined for any other line. */
export function goLogContinuation(line: string): string | undefined {
  const [matched, name, value] = continuation.exec(line) ?? [];
  return matched === undefined ? undefined : (name ?? value ?? '').replaceAll(String.raw`\t`, '').trim();
}

function jsonRecord(line: string): GoLogRecord | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!isObject(parsed)) return undefined;
  const { '@level': level, '@module': module, '@message': message, '@timestamp': _, ...rest } = parsed;
  const values = Object.entries(rest).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`);
  const text = [module, message].filter((part) => typeof part === 'string').join(': ');
  const shown = values.length === 0 ? text : `${text}:${values.join('')}`;
  return { level: levelOf(typeof level === 'string' ? level.toUpperCase() : ''), text: shown };
}

function levelOf(level: string): LogLevel {
  if (level === 'ERROR') return 'error';
  return level === 'WARN' ? 'warn' : 'info';
}
