// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { virtualClock } from '../environment/virtual-clock.ts';
import { SecretValue } from '../secrets/secret-value.ts';
import { jsonLine, logger, terminalLine, type LogEntry } from './logger.ts';

const secret = { kind: 'Secret', metadata: { name: 'admin' }, data: { password: 'aHVudGVyMg==' } };

describe('the logger', () => {
  test('passes on what reaches its level, with the fields of its parents', () => {
    const entries: LogEntry[] = [];
    const log = logger({ clock: virtualClock(0), write: (entry) => entries.push(entry) }).with({ controller: 'a' });
    log.debug('unheard');
    log.with({ name: 'b' }).warn('heard', { step: 'c' });
    assert.deepEqual(entries, [
      { time: 0, level: 'warn', message: 'heard', fields: { controller: 'a', name: 'b', step: 'c' } },
    ]);
  });

  test('writes lines for machines and for people', () => {
    const entry: LogEntry = { time: 0, level: 'info', message: 'ready', fields: { name: 'a', count: 2 } };
    assert.equal(
      jsonLine(entry),
      '{"time":"1970-01-01T00:00:00.000Z","level":"info","message":"ready","name":"a","count":2}',
    );
    assert.equal(terminalLine(entry), '00:00:00 INFO  ready name=a count=2');
    assert.equal(terminalLine(entry, true), '00:00:00 \u001B[32mINFO \u001B[0m ready name=a count=2');
  });

  test('lets no field take the place of time, level or message', () => {
    const fields = { level: 'high', name: 'a', message: 'other' };
    const line = jsonLine({ time: 0, level: 'info', message: 'ready', fields });
    assert.equal(line, '{"time":"1970-01-01T00:00:00.000Z","level":"info","message":"ready","name":"a"}');
  });

  test('writes an error with its cause', () => {
    const error = new Error('no database', { cause: new Error('connection refused') });
    const entry: LogEntry = { time: 0, level: 'error', message: 'failed', fields: { error } };
    for (const line of [jsonLine(entry), terminalLine(entry)])
      assert.match(line, /no database: connection refused"?}?$/);
  });

  test('writes an error in one line, and its stack trace at level debug only', () => {
    const error = new Error('no database', { cause: new Error('connection refused') });
    for (const line of [jsonLine, terminalLine]) {
      const written: string[] = [];
      const write = (entry: LogEntry) => written.push(line(entry));
      logger({ clock: virtualClock(0), write }).error('failed', { error, also: { error } });
      logger({ clock: virtualClock(0), level: 'debug', write }).error('failed', { error, also: { error } });
      assert.doesNotMatch(written[0] ?? '', /\n|logger\.test\.ts/);
      assert.match(written[1] ?? '', /logger\.test\.ts/);
    }
  });

  test('does not throw for what JSON cannot encode', () => {
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    const entry: LogEntry = { time: 0, level: 'info', message: 'odd', fields: { big: 10n, circular, not: undefined } };
    assert.equal(
      jsonLine(entry),
      '{"time":"1970-01-01T00:00:00.000Z","level":"info","message":"odd","big":"10","circular":"[cannot be written as JSON]"}',
    );
    assert.equal(terminalLine(entry), '00:00:00 INFO  odd big="10" circular=[cannot be written as JSON]');
  });

  test('never shows the content of a Secret or a secret value', () => {
    const fields = { secret, value: new SecretValue('hunter2'), list: { items: [secret] } };
    const entry: LogEntry = { time: 0, level: 'info', message: 'read', fields };
    for (const line of [jsonLine(entry), terminalLine(entry)]) {
      assert.doesNotMatch(line, /aHVudGVyMg|hunter2/);
      assert.match(line, /admin/);
    }
  });

  test('has nothing to hide in a line about the kind Secret', () => {
    const line = jsonLine({ time: 0, level: 'info', message: 'listing', fields: { kind: 'Secret' } });
    assert.equal(line, '{"time":"1970-01-01T00:00:00.000Z","level":"info","message":"listing","kind":"Secret"}');
  });
});
