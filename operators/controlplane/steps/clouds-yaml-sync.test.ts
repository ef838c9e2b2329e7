// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { minutes } from '@forge/runtime/time/duration.ts';
import { ControlPlane } from '../control-plane.ts';
import { pendingSince } from '../objects/credential/pending-since.ts';
import { home } from '../test/control-plane-fixture.ts';
import { allReady, controlPlaneOperator, secret } from '../test/control-plane-operator.ts';
import {
  backupName,
  cloudsYamlName,
  createMinted,
  readyControlPlane,
  reconcileAt,
  setSynced,
  textIn,
} from '../test/credential-steps.ts';

describe('the sync of clouds.yaml', () => {
  test('is stuck when it takes longer than fifteen minutes, and not when it takes just as long', async () => {
    await using operator = await controlPlaneOperator({ wanted: ['keystone'] });
    const { client, clock } = operator.cluster;
    await createMinted(operator);
    for (const what of ['store', 'push', 'sync'] as const) await setSynced(operator, what);
    await client.create(Secret, secret(cloudsYamlName.name, { 'clouds.yaml': 'clouds: {}' }));
    await clock.settle();
    const limit = (pendingSince(await operator.controlPlane()) ?? 0) + minutes(15);
    await reconcileAt(operator, limit);
    assert.match((await operator.condition('AdminCredentialReady')) ?? '', /^WaitingForCloudsYamlSync: /);
    await reconcileAt(operator, limit + 1);
    assert.match((await operator.condition('AdminCredentialReady')) ?? '', /^CloudsYamlSyncStuck: /);
  });

  test('waits for the next credential when the document changes together with it: the old one is being revoked', async () => {
    await using operator = await readyControlPlane();
    const { client, clock } = operator.cluster;
    operator.writes();
    const cloudCredentialsRef = { cloudName: 'forge' };
    const korc = { adminCredential: { cloudCredentialsRef, applicationCredential: { restricted: false } } };
    await client.patch(ControlPlane, home, 'merge', { spec: { korc } });
    await clock.settle();
    await operator.untilCondition('Ready', allReady);
    assert.match((await textIn(operator, cloudsYamlName.name)) ?? '', /^clouds:\n {2}forge:\n/);
    const stamps = operator.writes().filter((write) => write === `PATCH pushsecrets/${backupName.name}`);
    assert.equal(stamps.length, 1);
  });
});
