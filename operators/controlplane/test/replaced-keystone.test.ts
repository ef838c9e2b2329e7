// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Keystone } from '@forge/keystone/api/keystone.ts';
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { ApplicationCredential, Endpoint, Service, User } from '@forge/kube/third-party/korc.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import {
  administratorAnnotation,
  keystoneDatabaseAnnotation,
  keystoneUidAnnotation,
  korcFinalizerPrefix,
} from '../api/names.ts';
import {
  at,
  awaitingRevoke,
  credentialId,
  credentialName,
  readyControlPlane,
  setSynced,
  untilAnother,
} from './credential-steps.ts';
import { passwords } from './neighbours.ts';
import { korcObjects } from './script-korc.ts';
import { allReady, type ControlPlaneOperator } from './start-control-plane-operator.ts';

const keystoneName = at('controlplane-keystone');

/** The condition CatalogReady for an entry that cannot be re-created. */
const staleCatalog =
  'CatalogStale: identity Service "controlplane-identity-service" is that of an earlier Keystone, and guarded by openstack.k-orc.cloud/flavor; delete it and what refers to it, and it is created again';

/** Gives Keystone an empty database, and has it bootstrapped: everything in it has other ids. */
function replaceDatabase({ keystone }: ControlPlaneOperator): void {
  const { state } = keystone;
  for (const each of [
    ...Object.values(state.resources),
    state.credentials,
    state.passwords,
    state.tokens,
    state.admins,
  ])
    each.clear();
  keystone.bootstrap({ password: passwords.admin });
}

/** The ids that K-ORC keeps, each of something that Keystone holds. */
async function assertKnownIds({ cluster: { client }, keystone: { state } }: ControlPlaneOperator): Promise<void> {
  const idOf = async (kind: typeof User | typeof Service | typeof Endpoint, name: string) =>
    (await client.get<{ status?: { id?: string } } & User>(kind as typeof User, at(name))).status?.id ?? '';
  const { user, service, endpoint } = korcObjects;
  assert.ok(state.resources.users.has(await idOf(User, user.name)));
  assert.ok(state.resources.services.has(await idOf(Service, service.name)));
  assert.ok(state.resources.endpoints.has(await idOf(Endpoint, endpoint.name)));
}

async function isAccepted(operator: ControlPlaneOperator): Promise<boolean> {
  return operator.keystone.state.credentials.has((await credentialId(operator)) ?? '');
}

/** The keystone operator starts to work on a database, and finishes. */
async function settleOn({ cluster: { client, clock } }: ControlPlaneOperator, syncedDatabase: string): Promise<void> {
  for (const status of ['False', 'True'] as const) {
    const { status: before } = await client.get(Keystone, keystoneName);
    const conditions = before?.conditions?.map((each) => ({ ...each, status }));
    const change = { status: { syncedDatabase, conditions } };
    await client.patch(Keystone, keystoneName, 'merge', change, { subresource: 'status' });
    await clock.advance(seconds(1));
  }
}

describe('a Keystone that is deleted by hand', () => {
  test('comes back with another database: the credential and the import are made anew', async () => {
    await using operator = await readyControlPlane();
    const { client, clock } = operator.cluster;
    const id = await credentialId(operator);
    const { uid } = (await client.get(Keystone, keystoneName)).metadata;
    operator.keystone.health = 'down';
    await client.delete(Keystone, keystoneName);
    await clock.advance(seconds(5));
    assert.notEqual((await client.get(Keystone, keystoneName)).metadata.uid, uid);
    assert.equal(await operator.condition('KORCReady'), awaitingRevoke);
    await clock.advance(minutes(2));
    replaceDatabase(operator);
    operator.keystone.health = 'up';
    await untilAnother(operator, id);
    assert.ok(await isAccepted(operator));
    await assertKnownIds(operator);
    const { annotations = {} } = (await client.get(ApplicationCredential, credentialName)).metadata;
    assert.equal(annotations[keystoneUidAnnotation], (await client.get(Keystone, keystoneName)).metadata.uid);
    operator.writes();
    await clock.advance(minutes(30));
    assert.deepEqual(operator.writes(), []);
  });

  test('comes back on the same database: the credential is made anew, the earlier one revoked', async () => {
    await using operator = await readyControlPlane();
    const id = await credentialId(operator);
    await operator.cluster.client.delete(Keystone, keystoneName);
    await untilAnother(operator, id);
    assert.equal(operator.keystone.state.credentials.size, 1);
    assert.ok(await isAccepted(operator));
    await assertKnownIds(operator);
  });
});

describe('a Keystone with another database', () => {
  test('that is empty makes the credential anew at once, young as it may be; nobody is told of another password', async () => {
    const said: string[] = [];
    const observer = { condition: ({ message }: { message: string }) => void said.push(message), event: () => {} };
    await using operator = await readyControlPlane({ observer });
    await settleOn(operator, 'db:3306/keystone#first');
    const id = await credentialId(operator);
    replaceDatabase(operator);
    const began = operator.cluster.clock.now();
    await settleOn(operator, 'db:3306/keystone#second');
    await untilAnother(operator, id);
    assert.ok(operator.cluster.clock.now() - began < minutes(1));
    assert.deepEqual(
      said.filter((message) => message.includes('rotated admin password')),
      [],
    );
    assert.ok(await isAccepted(operator));
    await assertKnownIds(operator);
    assert.equal(await operator.condition('Ready'), allReady);
  });

  test('that moved keeps the credential', async () => {
    await using operator = await readyControlPlane();
    await settleOn(operator, 'db:3306/keystone');
    const id = await credentialId(operator);
    await settleOn(operator, 'other:3306/keystone');
    assert.equal(await operator.condition('Ready'), allReady);
    assert.equal(await credentialId(operator), id);
    const { annotations = {} } = (await operator.cluster.client.get(ApplicationCredential, credentialName)).metadata;
    assert.equal(annotations['forge.c5c3.io/keystone-database'], 'other:3306/keystone');
  });
});

describe('a Keystone with another database that does not answer at once', () => {
  test('keeps the credential, and is asked again: while the secret store is not ready, a successor would reach nobody', async () => {
    await using operator = await readyControlPlane();
    const { client, clock } = operator.cluster;
    await settleOn(operator, 'db:3306/keystone');
    const id = await credentialId(operator);
    await operator.neighbours.externalSecrets.stop();
    await setSynced(operator, 'store', 'False');
    let left = 1;
    operator.keystone.refuses = (request) => (request === 'POST /v3/auth/tokens' && left-- > 0 ? 503 : undefined);
    await settleOn(operator, 'other:3306/keystone');
    assert.ok(left <= 0);
    assert.equal(
      await operator.condition('KORCReady'),
      `WaitingForApplicationCredential: ApplicationCredential "${credentialName.name}" is not yet Available: Keystone does not answer a login with it`,
    );
    await clock.advance(minutes(2));
    assert.equal(await credentialId(operator), id);
    assert.ok(await isAccepted(operator));
    assert.match((await operator.condition('KORCReady')) ?? '', /^\+/);
    const { annotations = {} } = (await client.get(ApplicationCredential, credentialName)).metadata;
    assert.equal(annotations[keystoneDatabaseAnnotation], 'other:3306/keystone');
  });

  test('keeps a credential whose value somebody replaced, as long as the secret store is not ready', async () => {
    await using operator = await readyControlPlane();
    const { client, clock } = operator.cluster;
    await settleOn(operator, 'db:3306/keystone');
    const id = await credentialId(operator);
    await operator.neighbours.externalSecrets.stop();
    await setSynced(operator, 'store', 'False');
    await client.patch(Secret, credentialName, 'merge', { data: { value: btoa('theirs') } });
    await settleOn(operator, 'other:3306/keystone');
    await clock.advance(minutes(2));
    assert.match((await operator.condition('KORCReady')) ?? '', /^SecretStoreNotReady: /);
    assert.equal(await credentialId(operator), id);
    assert.ok(await isAccepted(operator));
  });
});

describe('an administrator with another id', () => {
  test('is imported anew, with the credential', async () => {
    await using operator = await readyControlPlane();
    const id = await credentialId(operator);
    replaceDatabase(operator);
    await operator.cluster.clock.advance(minutes(11));
    await untilAnother(operator, id);
    assert.ok(await isAccepted(operator));
    await assertKnownIds(operator);
    assert.equal(await operator.condition('Ready'), allReady);
  });

  test('stays noted on the catalog entries while its import is made anew', async () => {
    await using operator = await readyControlPlane();
    const { client, clock } = operator.cluster;
    const { user, service, endpoint } = korcObjects;
    const notes = async () => [
      (await client.get(Service, at(service.name))).metadata.annotations?.[administratorAnnotation],
      (await client.get(Endpoint, at(endpoint.name))).metadata.annotations?.[administratorAnnotation],
    ];
    const before = await notes();
    // Until K-ORC is back nobody knows the id.
    await operator.neighbours.korc.stop();
    await client.patch(User, at(user.name), 'merge', { metadata: { finalizers: null } });
    await client.delete(User, at(user.name));
    await clock.advance(minutes(1));
    assert.equal((await client.get(User, at(user.name))).status?.id, undefined);
    assert.deepEqual(await notes(), before);
    assert.ok(before.every((note) => note !== undefined));
  });

  test('leaves a catalog entry that an object of others guards, until it does no longer', async () => {
    await using operator = await readyControlPlane();
    const { client, clock } = operator.cluster;
    const name = at(korcObjects.service.name);
    const { finalizers = [] } = (await client.get(Service, name)).metadata;
    const guard = `${korcFinalizerPrefix}flavor`;
    await client.patch(Service, name, 'merge', { metadata: { finalizers: [...finalizers, guard] } });
    const id = await credentialId(operator);
    replaceDatabase(operator);
    await clock.advance(minutes(16));
    assert.notEqual(await credentialId(operator), id);
    // It would be Terminating for ever.
    assert.equal((await client.get(Service, name)).metadata.deletionTimestamp, undefined);
    assert.equal(await operator.condition('CatalogReady'), staleCatalog);
    await client.patch(Service, name, 'merge', { metadata: { finalizers } });
    await clock.advance(minutes(1));
    await assertKnownIds(operator);
    assert.equal(await operator.condition('Ready'), allReady);
  });
});
