// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ApiRequest } from '@forge/kube/client/transport.ts';
import { Endpoint, Service } from '@forge/kube/third-party/korc.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { refusal } from '@forge/testing/refusal.ts';
import { ControlPlane } from '../../api/control-plane.ts';
import { home } from '../../test/control-plane-fixture.ts';
import { at, passwordCloudName, readyControlPlane, storePassword, textIn } from '../../test/credential-steps.ts';
import { korcObjects } from '../../test/script-korc.ts';

const service = at(korcObjects.service.name);
const endpoint = at(korcObjects.endpoint.name);

describe('the redirect of logins that precedes a deletion', () => {
  test('is repeated when the API server fails; only then the objects are deleted, in the specified order', async () => {
    let isFailing = false;
    const before = async ({ method, path }: ApiRequest) => {
      if (isFailing && method === 'PATCH' && path.includes('/endpoints/'))
        throw refusal(503, 'ServiceUnavailable', 'not today');
    };
    await using operator = await readyControlPlane({ before });
    const { client, clock } = operator.cluster;
    await operator.neighbours.korc.stop();
    isFailing = true;
    operator.writes();
    await client.delete(ControlPlane, home);
    await clock.advance(seconds(5));
    assert.deepEqual(
      operator.writes().filter((write) => write.startsWith('DELETE')),
      [],
    );
    isFailing = false;
    await clock.advance(seconds(15));
    const { spec } = await client.get(Endpoint, endpoint);
    assert.equal(spec.cloudCredentialsRef.secretName, passwordCloudName.name);
    assert.deepEqual(
      operator.writes().filter((write) => write.startsWith('DELETE')),
      [
        'DELETE applicationcredentials/controlplane-admin-app-credential',
        'DELETE services/controlplane-identity-service',
        'DELETE endpoints/controlplane-identity-endpoint',
        'DELETE users/controlplane-user-admin',
        'DELETE domains/controlplane-domain-default',
      ],
    );
  });

  test('includes what is being deleted already', async () => {
    await using operator = await readyControlPlane();
    const { client, clock } = operator.cluster;
    await operator.neighbours.korc.stop();
    await operator.stop();
    await client.delete(Service, service);
    await client.delete(Endpoint, endpoint);
    await client.delete(ControlPlane, home);
    await operator.start();
    await clock.settle();
    const entries = [await client.get(Service, service), await client.get(Endpoint, endpoint)];
    for (const { spec } of entries) assert.equal(spec.cloudCredentialsRef.secretName, passwordCloudName.name);
  });

  test('hands K-ORC a new password once Keystone accepts it, not before', async () => {
    await using operator = await readyControlPlane();
    const { client, clock } = operator.cluster;
    await operator.neighbours.korc.stop();
    const accepted = await textIn(operator, passwordCloudName.name);
    await storePassword(operator, 'second');
    await client.delete(ControlPlane, home);
    await clock.advance(seconds(15));
    assert.equal(await textIn(operator, passwordCloudName.name), accepted);
    operator.keystone.bootstrap({ password: 'second' });
    await clock.advance(seconds(15));
    assert.match((await textIn(operator, passwordCloudName.name)) ?? '', /password: "second"/);
  });

  test('hands K-ORC the entry by its current name: with an earlier one it could not log in', async () => {
    await using operator = await readyControlPlane();
    const { client, clock } = operator.cluster;
    await operator.stop();
    const korc = { adminCredential: { cloudCredentialsRef: { cloudName: 'forge' } } };
    await client.patch(ControlPlane, home, 'merge', { spec: { korc } });
    await client.delete(ControlPlane, home);
    await operator.start();
    await clock.until(async () => (await client.find(ControlPlane, home)) === undefined, seconds(30));
    assert.equal(operator.keystone.state.credentials.size, 0);
  });

  test('keeps the catalog in Keystone also when somebody asked K-ORC to delete its entries', async () => {
    await using operator = await readyControlPlane();
    const { client, clock } = operator.cluster;
    const { services, endpoints } = operator.keystone.state.resources;
    const catalog = [...services.keys(), ...endpoints.keys()];
    await operator.stop();
    const change = { spec: { managedOptions: { onDelete: 'delete' } } };
    await client.patch(Service, service, 'merge', change);
    await client.patch(Endpoint, endpoint, 'merge', change);
    await client.delete(ControlPlane, home);
    await operator.start();
    await clock.until(async () => (await client.find(ControlPlane, home)) === undefined, seconds(30));
    assert.deepEqual([...services.keys(), ...endpoints.keys()], catalog);
  });
});
