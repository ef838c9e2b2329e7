// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type HostFacts, requirementsFor } from './requirements.ts';

const fit: HostFacts = { platform: 'linux', arch: 'x64', missingPrograms: [], settings: {} };

describe('the requirements of the node', () => {
  it('are met by a complete machine', () => {
    assert.deepEqual(requirementsFor(fit), []);
  });

  it('ignore a restriction that does not apply, as for root on Ubuntu', () => {
    const settings = { 'kernel.apparmor_restrict_unprivileged_userns': '1' };
    assert.deepEqual(requirementsFor({ ...fit, settings }), []);
  });

  it('include only Linux on other systems', () => {
    const [first, ...others] = requirementsFor({ ...fit, platform: 'darwin', missingPrograms: ['apt-get'] });
    assert.match(first?.what ?? '', /Linux is needed, this is darwin/);
    assert.deepEqual(others, []);
  });

  it('include x86_64', () => {
    assert.match(onlyOne({ arch: 'arm64' }).what, /x86_64 processor is needed, this is arm64/);
  });

  it('recommend Debian or a derivative to a host without apt', () => {
    const { what, remedy } = onlyOne({ missingPrograms: ['apt-get'] });
    assert.equal(what, 'apt-get not found');
    assert.match(remedy, /Debian, Ubuntu/);
  });

  it('name the package of a missing program, and do not report namespaces that could not be tested', () => {
    const { what, remedy } = onlyOne({ missingPrograms: ['flock', 'unshare'], namespacesRefused: 'not started' });
    assert.equal(what, 'flock, unshare not found');
    assert.match(remedy, /package util-linux/);
  });

  it('explain the restriction of Ubuntu 24.04 and its remedy', () => {
    const settings = { 'kernel.apparmor_restrict_unprivileged_userns': '1', 'kernel.unprivileged_userns_clone': '1' };
    const { what, remedy } = onlyOne({ namespacesRefused: 'Operation not permitted', settings });
    assert.match(what, /AppArmor/);
    assert.match(remedy, /sysctl kernel\.apparmor_restrict_unprivileged_userns=0 /);
  });

  it('explain the setting that disables unprivileged user namespaces', () => {
    const settings = { 'kernel.unprivileged_userns_clone': '0', 'user.max_user_namespaces': '1000' };
    assert.match(onlyOne({ namespacesRefused: 'no', settings }).remedy, /kernel\.unprivileged_userns_clone=1 /);
  });

  it('explain the setting that limits user namespaces to zero', () => {
    const settings = { 'user.max_user_namespaces': '0' };
    assert.match(onlyOne({ namespacesRefused: 'no', settings }).remedy, /user\.max_user_namespaces=15000 /);
  });

  it('include the error of unshare when no setting explains it', () => {
    const { what, remedy } = onlyOne({ namespacesRefused: 'unshare failed with exit code 1: Operation not permitted' });
    assert.match(what, /Operation not permitted/);
    assert.match(remedy, /container/);
  });
});

function onlyOne(facts: Partial<HostFacts>): ReturnType<typeof requirementsFor>[number] {
  const [requirement, ...others] = requirementsFor({ ...fit, ...facts });
  assert.ok(requirement);
  assert.deepEqual(others, []);
  return requirement;
}
