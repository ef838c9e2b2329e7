// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { seededRandom } from '@forge/runtime/environment/seeded-random.ts';
import { virtualClock } from '@forge/runtime/environment/virtual-clock.ts';
import { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import { openbaoFiles } from './openbao-files.ts';

test('key, certificate and root token of OpenBao persist after the process, readable only by their owner', async (context) => {
  const dir = await mkdtemp(join(tmpdir(), 'forge-openbao-'));
  context.after(() => rm(dir, { recursive: true }));
  const data = { dir, run: dir, path: (...segments: string[]) => join(dir, ...segments) };
  await mkdir(data.path('openbao'));
  const random = seededRandom();
  const open = () => openbaoFiles(data, { clock: virtualClock(), random });
  const secrets = await open().secrets();
  assert.match(secrets.sealKey, /^[0-9a-f]{64}$/);
  assert.equal(await open().rootToken(), undefined);
  await open().beginInitialisation();
  assert.equal(await open().wasInterrupted(), true);
  await open().saveRootToken(new SecretValue('s.root'));
  await open().endInitialisation();
  assert.equal(await open().wasInterrupted(), false);
  assert.equal((await open().rootToken())?.reveal(), 's.root');
  assert.deepEqual(await open().secrets(), secrets);
  for (const file of ['seal.key', 'tls.json', 'root.token']) {
    assert.equal((await stat(data.path('openbao', file))).mode & 0o777, 0o600, file);
  }
});
