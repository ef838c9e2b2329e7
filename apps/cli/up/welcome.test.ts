// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { welcome } from './welcome.ts';

test('the welcome text has absolute paths and stops the cluster of this data folder', () => {
  const dir = "/srv/a user's/data";
  const data = { dir, run: join(dir, 'run'), path: (...segments: string[]) => join(dir, ...segments) };
  const text = welcome({ data, url: 'http://127.0.0.1:1/v3' }, '/opt/forge/forge.mjs');
  const quoted = String.raw`'/srv/a user'\''s/data`;
  assert.ok(text.includes(`-d @${quoted}/login.json' http`), text);
  assert.ok(text.includes(`export KUBECONFIG=${quoted}/kubeconfig'`), text);
  assert.ok(text.endsWith(`/opt/forge/forge.mjs down --data ${quoted}'`), text);
});
