// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CheckedPod } from './pod-check.ts';
import type { LevelVersion } from './policy.ts';
import { violationsOf } from './violations.ts';

const containers = [{ name: 'main' }, { name: 'side' }];

function details(annotations: CheckedPod['annotations'], required: LevelVersion): string[] {
  return violationsOf({ annotations, spec: { containers } }, required).map(
    ({ reason, detail }) => `${reason}: ${detail}`,
  );
}

// A recording would also compare warnings about deprecated annotations.
test('profiles in annotations are checked too', () => {
  const appArmor = 'container.apparmor.security.beta.kubernetes.io/';
  const baseline: LevelVersion = { level: 'baseline', version: Infinity };
  assert.deepEqual(details({ [`${appArmor}main`]: 'localhost/own', [`${appArmor}side`]: '' }, baseline), []);
  assert.deepEqual(details({ [`${appArmor}main`]: 'unconfined' }, baseline), [
    `forbidden AppArmor profile: annotation must not set AppArmor profile type to "${appArmor}main="unconfined""`,
  ]);
});

test('seccomp annotations are checked only for versions without the field', () => {
  const prefix = 'seccomp.security.alpha.kubernetes.io/';
  const annotations = {
    [`${prefix}pod`]: 'unconfined',
    [`container.${prefix}main`]: 'unconfined',
    [`container.${prefix}side`]: 'docker/default',
    [`container.${prefix}nobody`]: 'unconfined',
  };
  assert.deepEqual(details(annotations, { level: 'baseline', version: 18 }), [
    `seccompProfile: forbidden annotations container.${prefix}main="unconfined", ${prefix}pod="unconfined"`,
  ]);
  assert.deepEqual(details(annotations, { level: 'baseline', version: 19 }), []);
});
