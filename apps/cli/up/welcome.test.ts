// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { controlPlaneDemo } from './control-plane-demo.ts';
import type { Demo } from './demo.ts';
import { keystoneDemo } from './keystone-demo.ts';
import { welcome } from './welcome.ts';

const dir = "/srv/a user's/data";
const quoted = String.raw`'/srv/a user'\''s/data`;
const data = { dir, run: join(dir, 'run'), path: (...segments: string[]) => join(dir, ...segments) };
const textOf = (demo: Demo) =>
  welcome({ demo, data, url: 'http://127.0.0.1:1/v3' }, '/opt/forge/forge.mjs', ['✔ all is well']);

test('the welcome text has absolute paths and the command to stop the cluster of this data folder', () => {
  const text = textOf(keystoneDemo);
  assert.ok(text.includes(`-d @${quoted}/login.json' http`), text);
  assert.ok(text.includes(`export KUBECONFIG=${quoted}/kubeconfig'`), text);
  assert.ok(text.includes(`/opt/forge/forge.mjs down --data ${quoted}'`), text);
  assert.ok(text.endsWith(`OS_CLIENT_CONFIG_FILE=${quoted}/clouds.yaml' openstack --os-cloud forge token issue`), text);
});

test('for a ControlPlane, it has the tree, and ends with logins by password and by the application credential', () => {
  const text = textOf(controlPlaneDemo);
  assert.ok(text.includes('  ✔ all is well'), text);
  assert.ok(text.includes('patch controlplanes controlplane --type merge'), text);
  assert.match(text, /login\.json' http.*--os-cloud forge token issue\n.*login-credential\.json' http/s);
  assert.ok(text.endsWith('openstack --os-cloud forge-credential token issue'), text);
});
