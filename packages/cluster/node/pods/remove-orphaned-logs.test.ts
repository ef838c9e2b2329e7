// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Pod } from '@forge/kube/kinds/builtin.ts';
import { removeOrphanedLogs } from './remove-orphaned-logs.ts';

const uid = (last: number) => `00000000-0000-4000-8000-00000000000${last}`;

test('log folders of pods that no longer exist are removed, and nothing else', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'forge-logs-'));
  context.after(() => rm(folder, { recursive: true }));
  const names = [`default_web_${uid(1)}`, `default_web_${uid(2)}`, 'other'];
  for (const name of names) await mkdir(join(folder, name, 'main'), { recursive: true });
  await writeFile(join(folder, 'forge.log'), '');
  const metadata = { namespace: 'default', name: 'web', uid: uid(2) };
  const pod: Pod = { apiVersion: 'v1', kind: 'Pod', metadata, spec: { containers: [] } };
  await removeOrphanedLogs(folder, () => [pod]);
  assert.deepEqual((await readdir(folder)).toSorted(), [`default_web_${uid(2)}`, 'forge.log', 'other']);
  await removeOrphanedLogs(join(folder, 'missing'), () => []);
});
