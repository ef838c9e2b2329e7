// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SeccompProfile } from '@forge/kube/generated/types.ts';
import { isConfined } from './seccomp-profile.ts';

function confinedWith(ofPod?: SeccompProfile, ofContainer?: SeccompProfile, level?: string): Promise<boolean> {
  const container = { name: 'web', ...(ofContainer && { securityContext: { seccompProfile: ofContainer } }) };
  const spec = { containers: [container], ...(ofPod && { securityContext: { seccompProfile: ofPod } }) };
  const labels = level === undefined ? {} : { 'pod-security.kubernetes.io/enforce': level };
  return isConfined({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web-0' }, spec }, container, () =>
    Promise.resolve({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a', labels } }),
  );
}

const [runtimeDefault, unconfined] = [{ type: 'RuntimeDefault' }, { type: 'Unconfined' }];

test('every container gets the filter, with or without a profile', async () => {
  assert.equal(await confinedWith(), true);
  assert.equal(await confinedWith(runtimeDefault), true);
  assert.equal(await confinedWith(unconfined, runtimeDefault), true);
});

test('Unconfined is honoured only in a namespace that is labelled as privileged', async () => {
  assert.equal(await confinedWith(unconfined, undefined, 'privileged'), false);
  assert.equal(await confinedWith(runtimeDefault, unconfined, 'privileged'), false);
  for (const level of ['baseline', 'restricted', undefined]) {
    await assert.rejects(confinedWith(unconfined, undefined, level), /Unconfined of container web needs a namespace/);
  }
});

test('a profile of the host is refused by its name', async () => {
  const profile = { type: 'Localhost', localhostProfile: 'profiles/audit.json' };
  await assert.rejects(
    confinedWith(profile, undefined, 'privileged'),
    /Localhost .*profiles\/audit\.json.* not supported/,
  );
});
