// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seconds } from '../environment/duration.ts';
import { virtualClock } from '../environment/virtual-clock.ts';
import { logger, type LogEntry } from '../observability/logger.ts';
import { fileCertificate } from './file-certificate.ts';

test('a certificate in files is read again when it changes, and kept when it cannot be read', async () => {
  const clock = virtualClock();
  const end = new AbortController();
  const logged: LogEntry[] = [];
  const files = new Map([
    ['/certs/tls.crt', 'cert 1'],
    ['/certs/tls.key', 'key 1'],
  ]);
  const readFile = async (path: string) => files.get(path) ?? Promise.reject(new Error(`no ${path}`));
  const log = logger({ clock, write: (entry) => logged.push(entry) });
  const context = { readFile, clock, log, signal: end.signal };
  const source = await fileCertificate('/certs', context);
  let changes = 0;
  source.onChange(() => (changes += 1));
  await clock.advance(seconds(60));
  assert.deepEqual([source.current(), changes], [{ cert: 'cert 1', key: 'key 1' }, 0]);
  files.set('/certs/tls.crt', 'cert 2').set('/certs/tls.key', 'key 2');
  await clock.advance(seconds(10));
  assert.deepEqual([source.current(), changes], [{ cert: 'cert 2', key: 'key 2' }, 1]);
  files.delete('/certs/tls.key');
  await clock.advance(seconds(10));
  assert.deepEqual([source.current()?.cert, logged[0]?.level], ['cert 2', 'warn']);
  end.abort();
  files.set('/certs/tls.crt', 'cert 3').set('/certs/tls.key', 'key 3');
  await clock.advance(seconds(60));
  assert.equal(source.current()?.cert, 'cert 2');
  await assert.rejects(
    fileCertificate('/elsewhere', context),
    /No serving certificate in \/elsewhere: tls.crt and tls.key/,
  );
});
