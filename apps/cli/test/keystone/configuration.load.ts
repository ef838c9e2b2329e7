// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { eventually } from '@forge/testing/programs/eventually.ts';
import type { LiveKeystone } from './live-keystone.ts';
import type { LocalKeystones } from './local-keystones.ts';
import { loneKeystone } from './lone-keystone.ts';
import { secretLeaks } from './secret-leaks.ts';

/** The lifetime of a new token in seconds. */
async function tokenLifetime(keystone: LiveKeystone): Promise<number> {
  const token = await keystone.login();
  const headers = { 'x-auth-token': token, 'x-subject-token': token };
  const response = await fetch(`${keystone.url}/auth/tokens`, { headers, signal: AbortSignal.timeout(60_000) });
  const body = (await response.json()) as { token: { issued_at: string; expires_at: string } };
  return Math.round((Date.parse(body.token.expires_at) - Date.parse(body.token.issued_at)) / 1000);
}

/** The status of the response to a list of all projects. */
async function listProjects(keystone: LiveKeystone): Promise<number> {
  const headers = { 'x-auth-token': await keystone.login() };
  return (await fetch(`${keystone.url}/projects`, { headers, signal: AbortSignal.timeout(60_000) })).status;
}

describe('the configuration of a Keystone', () => {
  const stack = new AsyncDisposableStack();
  let cluster: LocalKeystones;
  let keystone: LiveKeystone;

  before(async () => {
    ({ cluster, keystone } = await loneKeystone(stack));
  });
  after(() => stack.disposeAsync());

  const uids = async () => (await keystone.pods()).map(({ metadata }) => metadata.uid ?? '').toSorted();

  /** Waits until the old pods are deleted. */
  const replaced = (old: readonly unknown[]) =>
    eventually('the pods are replaced', async () => !(await uids()).some((uid) => old.includes(uid)), {
      observed: () => keystone.get(),
    });

  test('an option of extraConfig takes effect without a failed request', async () => {
    const old = await uids();
    await keystone.underLoad(async () => {
      await keystone.change({ extraConfig: { token: { expiration: '7200' } } });
      await keystone.untilReady();
      await replaced(old);
    });
    assert.equal(await tokenLifetime(keystone), 7200);
  });

  test('errors in the configuration are reported by conditions while the old pods serve requests', async () => {
    const old = await uids();
    await keystone.underLoad(async () => {
      await keystone.change({ policyOverrides: { configMapRef: { name: 'missing' } } });
      assert.match(await keystone.untilReason('SecretsReady', 'ConfigError'), /missing/);
      await keystone.change({ policyOverrides: null, extraConfig: { token: { provider: 'misspelt' } } });
      await keystone.untilReason('DeploymentReady', 'WaitingForDeployment');
      await eventually(
        'the condition has the error of Keystone',
        async () => (await keystone.condition('DeploymentReady'))?.message.includes('misspelt'),
        { observed: () => keystone.condition('DeploymentReady') },
      );
      assert.equal((await keystone.condition('Ready'))?.status, 'False');
      const current = await uids();
      assert.ok(
        old.every((uid) => current.includes(uid)),
        'the old pod was replaced',
      );
      await keystone.change({ extraConfig: { token: { provider: 'fernet' } } });
      await keystone.untilReady();
    });
    await keystone.login();
  });

  test('an invalid policy override reaches no pod, a valid one takes effect', async () => {
    assert.equal(await listProjects(keystone), 200);
    await eventually('one pod is left', async () => (await uids()).length === 1);
    const old = await uids();
    await keystone.change({ policyOverrides: { rules: { 'identity:list_projects': 'role:admin or (' } } });
    assert.match(await keystone.untilReason('PolicyValidReady', 'PolicyValidationFailed'), /role:admin or \(/);
    assert.deepEqual(await uids(), old);
    assert.equal(await listProjects(keystone), 200);

    await keystone.change({ policyOverrides: { rules: { 'identity:list_projects': '!' } } });
    await keystone.untilReady();
    await replaced(old);
    assert.equal(await listProjects(keystone), 403);
  });
  test('no secret value appears outside of Secrets', async () => {
    assert.deepEqual(await secretLeaks(cluster), []);
  });
});
