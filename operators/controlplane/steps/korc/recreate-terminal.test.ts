// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Domain } from '@forge/kube/third-party/korc.ts';
import { minutes } from '@forge/runtime/environment/duration.ts';
import { at, waitingForKorc } from '../../test/credential-steps.ts';
import { korcObjects, setKorc } from '../../test/script-korc.ts';
import type { ControlPlaneOperator } from '../../test/start-control-plane-operator.ts';

const { domain } = korcObjects;

const uidOf = async ({ cluster: { client } }: ControlPlaneOperator) =>
  (await client.get(Domain, at(domain.name))).metadata.uid;

describe('an object that K-ORC gave up on', () => {
  test('stays while Keystone refuses the password: its successor would fail as well', async () => {
    await using operator = await waitingForKorc();
    const { client, clock } = operator.cluster;
    const first = await uidOf(operator);
    operator.keystone.refuses = (request) => (request === 'POST /v3/auth/tokens' ? 401 : undefined);
    await setKorc(client, domain, { terminal: 'not let in' });
    await clock.advance(minutes(6));
    assert.equal(await uidOf(operator), first);
    operator.keystone.refuses = () => undefined;
    await clock.advance(minutes(1));
    assert.notEqual(await uidOf(operator), first);
  });

  test('stays for five minutes each time: those of an earlier failure that is over do not count', async () => {
    await using operator = await waitingForKorc();
    const { client, clock } = operator.cluster;
    const first = await uidOf(operator);
    await setKorc(client, domain, { terminal: 'several' });
    await clock.advance(minutes(4));
    await setKorc(client, domain, { available: 'default' });
    await clock.advance(minutes(60));
    await setKorc(client, domain, { terminal: 'several' });
    await clock.advance(minutes(4));
    assert.equal(await uidOf(operator), first);
    await clock.advance(minutes(2));
    assert.notEqual(await uidOf(operator), first);
  });

  test('stays when K-ORC succeeds just before its deletion', async () => {
    let recover: (() => Promise<unknown>) | undefined;
    await using operator = await waitingForKorc({
      before: async ({ method, path }) => {
        if (method === 'DELETE' && path.includes('/domains/')) await recover?.();
      },
    });
    const { client, clock } = operator.cluster;
    const first = await uidOf(operator);
    let recovered = 0;
    recover = async () => {
      recovered += 1;
      await setKorc(client, domain, { available: 'default' });
    };
    await setKorc(client, domain, { terminal: 'several' });
    await clock.advance(minutes(6));
    assert.equal(recovered, 1);
    assert.equal(await uidOf(operator), first);
  });
});
