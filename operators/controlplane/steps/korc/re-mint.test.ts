// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ApiRequest } from '@forge/kube/client/transport.ts';
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { ApplicationCredential } from '@forge/kube/third-party/korc.ts';
import { milliseconds, minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { virtualClock } from '@forge/runtime/environment/virtual-clock.ts';
import { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import { ControlPlane } from '../../api/control-plane.ts';
import { applicationCredential } from '../../objects/korc/application-credential.ts';
import { controlPlaneFixture, home } from '../../test/control-plane-fixture.ts';
import {
  credentialId,
  credentialName,
  nudge,
  readyControlPlane,
  reconcileAt,
  textIn,
} from '../../test/credential-steps.ts';
import { allReady, type ControlPlaneOperator } from '../../test/start-control-plane-operator.ts';
import { revocation } from './re-mint.ts';

test('a revocation is stalled when it takes longer than five minutes, and not when it takes just as long', () => {
  const object = controlPlaneFixture();
  const clock = virtualClock();
  const { metadata, ...rest } = applicationCredential(object, {
    value: new SecretValue('v'),
    passwordHash: 'h',
    keystone: {},
  });
  const deletionTimestamp = new Date(clock.now()).toISOString();
  const live = { ...rest, metadata: { ...metadata, deletionTimestamp } };
  const reasonAfter = (span: number) => {
    const outcome = revocation(live, { object, clock: { ...clock, now: () => clock.now() + span } });
    return 'text' in outcome ? outcome.text?.reason : undefined;
  };
  assert.equal(reasonAfter(minutes(5)), 'ReMinting');
  assert.equal(reasonAfter(minutes(5) + milliseconds(1)), 'ReMintStalled');
});

describe('the value of the application credential', () => {
  for (const [what, lose] of [
    ['replaced', nudge],
    [
      'added where it is missing',
      ({ cluster: { client } }) => client.patch(Secret, credentialName, 'merge', { data: { value: '' } }),
    ],
  ] satisfies [string, (operator: Awaited<ReturnType<typeof readyControlPlane>>) => Promise<unknown>][]) {
    test(`is not ${what} when somebody else just did that: theirs may be minted already`, async () => {
      let interfere: (() => Promise<unknown>) | undefined;
      const before = async ({ method, path }: ApiRequest) => {
        if (method !== 'PATCH' || !path.endsWith(`/secrets/${credentialName.name}`)) return;
        const once = interfere;
        interfere = undefined;
        await once?.();
      };
      await using operator = await readyControlPlane({ before });
      const { client, clock } = operator.cluster;
      const old = await textIn(operator, credentialName.name, 'value');
      interfere = () => client.patch(Secret, credentialName, 'merge', { data: { value: btoa('theirs') } });
      await lose(operator);
      await clock.settle();
      assert.equal(interfere, undefined);
      await operator.untilCondition('Ready', allReady);
      assert.equal(await textIn(operator, credentialName.name, 'value'), 'theirs');
      const secrets = [...operator.keystone.state.credentials.values()].map(({ secret }) => secret);
      assert.deepEqual(secrets, ['theirs'], `not ${old}`);
    });
  }
});

describe('the application credential', () => {
  test('whose value was replaced by hand is deleted once Keystone answers: K-ORC would not revoke it', async () => {
    await using operator = await readyControlPlane();
    const { client, clock } = operator.cluster;
    const { uid } = (await client.get(ApplicationCredential, credentialName)).metadata;
    operator.keystone.health = 'without database';
    await client.patch(Secret, credentialName, 'merge', { data: { value: btoa('theirs') } });
    await clock.advance(seconds(30));
    const { metadata } = await client.get(ApplicationCredential, credentialName);
    assert.deepEqual([metadata.uid, metadata.deletionTimestamp], [uid, undefined]);
    operator.keystone.health = 'up';
    await operator.untilCondition('Ready', allReady);
    const secrets = [...operator.keystone.state.credentials.values()].map(({ secret }) => secret);
    assert.deepEqual(secrets, ['theirs']);
  });

  test('that Keystone refuses is replaced when it is ten minutes old, and not before', async () => {
    await using operator = await readyControlPlane();
    const rotation = async () => (await operator.controlPlane()).status?.adminApplicationCredential ?? {};
    const { id, lastRotation = '' } = await rotation();
    operator.keystone.state.credentials.clear();
    const due = Date.parse(lastRotation) + minutes(10);
    for (const early of [minutes(5), milliseconds(1)]) {
      await reconcileAt(operator, due - early);
      await operator.untilCondition('Ready', allReady);
      assert.equal((await rotation()).id, id);
    }
    operator.keystone.refuses = (request) => (request === 'POST /v3/auth/tokens' ? 401 : undefined);
    await reconcileAt(operator, due);
    assert.equal(
      await operator.condition('KORCReady'),
      'WaitingForAdminPassword: admin password Secret is not yet available; deferring application-credential mint: Keystone refuses the admin password',
    );
    assert.equal((await rotation()).id, id);
    operator.keystone.refuses = () => undefined;
    await reconcileAt(operator, due + 1);
    await operator.untilCondition('Ready', allReady);
    assert.notEqual((await rotation()).id, id);
  });

  test('that Keystone refuses is replaced within twenty minutes, although the clock was set back by hours', async () => {
    await using operator = await readyControlPlane();
    const { client, clock } = operator.cluster;
    const before = (await operator.controlPlane()).status?.adminApplicationCredential;
    const lastRotation = new Date(clock.now() + minutes(180)).toISOString();
    const change = { status: { adminApplicationCredential: { lastRotation } } };
    await client.patch(ControlPlane, home, 'merge', change, { subresource: 'status' });
    operator.keystone.state.credentials.clear();
    await clock.advance(minutes(9));
    assert.equal(await credentialId(operator), before?.id);
    await clock.advance(minutes(11));
    await operator.untilCondition('Ready', allReady);
    assert.notEqual(await credentialId(operator), before?.id);
  });
});

describe('ten minutes after the last login at the latest, whenever that was, it is said that', () => {
  const refusals = {
    'Keystone refuses the password': ({ keystone }) => keystone.bootstrap({ password: 'changed by hand' }),
    'Keystone refuses the credential': ({ keystone }) => keystone.state.credentials.clear(),
  } satisfies Record<string, (operator: ControlPlaneOperator) => void>;

  for (const [what, refuse] of Object.entries(refusals)) {
    test(what, async () => {
      const said: string[] = [];
      const observer = {
        condition: ({ type, status }: { type: string; status: string }) => void said.push(`${type} ${status}`),
        event: () => {},
      };
      await using operator = await readyControlPlane({ observer });
      const { clock } = operator.cluster;
      const { requests } = operator.keystone;
      // Keystone does not answer at the regular login. A later pass triggers another one, which counts from then on.
      await clock.advance(minutes(15));
      const asked = requests.length;
      while (requests.length < asked + 2) await clock.advance(seconds(5));
      const regular = clock.now();
      await clock.advance(minutes(9));
      operator.keystone.health = 'without database';
      await clock.advance(minutes(1));
      operator.keystone.health = 'up';
      await reconcileAt(operator, regular + minutes(12));
      refuse(operator);
      said.length = 0;
      await clock.advance(minutes(10));
      assert.ok(said.includes('KORCReady False'), said.join('\n'));
    });
  }
});
