// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Service } from '@forge/kube/third-party/korc.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { ControlPlane } from '../api/control-plane.ts';
import { home } from './control-plane-fixture.ts';
import { credentialName, textIn } from './credential-steps.ts';
import { passwords } from './neighbours.ts';
import { allReady, startControlPlaneOperator, createControlPlane } from './start-control-plane-operator.ts';

test('the log tells why a mint and a deletion do not go on, and neither the password nor the credential', async () => {
  const logged: string[] = [];
  await using operator = await startControlPlaneOperator({ write: (entry) => void logged.push(JSON.stringify(entry)) });
  const { client, clock } = operator.cluster;
  operator.keystone.refuses = (request) => (/^GET .*\/application_credentials$/.test(request) ? 503 : undefined);
  await createControlPlane(operator);
  await clock.advance(seconds(15));
  const first = (await textIn(operator, credentialName.name, 'value')) ?? '';
  operator.keystone.refuses = () => undefined;
  await operator.untilCondition('Ready', allReady);

  const value = (await textIn(operator, credentialName.name, 'value')) ?? '';
  await operator.deny('patch', Service);
  operator.keystone.health = 'down';
  await client.delete(ControlPlane, home);
  await clock.advance(minutes(6));
  for (const text of [
    'the application credential is not minted yet',
    'K-ORC is not given the login by password',
    'Keystone does not tell which application credentials are left',
  ]) {
    assert.ok(
      logged.some((line) => line.includes(text)),
      `not logged: ${text}`,
    );
  }
  const leaks = [first, value, passwords.admin].flatMap((secret) => logged.filter((line) => line.includes(secret)));
  assert.deepEqual(leaks, []);
});
