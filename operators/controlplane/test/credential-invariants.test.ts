// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Keystone } from '@forge/keystone/api/keystone.ts';
import { ConfigMap, Deployment, Event, Job, Pod, Secret } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { isObject } from '@forge/kube/objects/json.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { ExternalSecret, PushSecret } from '@forge/kube/third-party/external-secrets.ts';
import { ApplicationCredential } from '@forge/kube/third-party/korc.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { ControlPlane } from '../api/control-plane.ts';
import { childKinds } from './child-kinds.ts';
import { home } from './control-plane-fixture.ts';
import {
  cloudsYamlName,
  credentialName,
  nudge,
  passwordCloudName,
  readyControlPlane,
  storePassword,
  textIn,
} from './credential-steps.ts';
import { passwords, paths } from './neighbours.ts';
import { allReady, type ControlPlaneOperator } from './start-control-plane-operator.ts';

const nextPassword = 'next-secret';
const workloads: readonly Kind[] = [Deployment, Job, Pod];

/** All objects of these kinds in the namespace. */
async function objectsOf({ cluster: { client } }: ControlPlaneOperator, kinds: readonly Kind[]): Promise<KubeObject[]> {
  const lists = await Promise.all(kinds.map((kind) => client.list<KubeObject>(kind, { namespace: home.namespace })));
  return lists.flatMap(({ items }) => items);
}

/** Whether a text is a value anywhere in it. */
function mentions(value: unknown, text: string): boolean {
  if (typeof value === 'string') return value === text;
  if (Array.isArray(value)) return value.some((each) => mentions(each, text));
  return isObject(value) && Object.values(value).some((each) => mentions(each, text));
}

/** Kind and name of the objects whose spec names a Secret. */
async function referrersOf(operator: ControlPlaneOperator, secret: string): Promise<string[]> {
  const objects = await objectsOf(operator, [
    ...childKinds.filter(({ scope }) => scope === 'Namespaced'),
    ...workloads,
    ControlPlane,
  ]);
  return objects
    .filter((object) => mentions((object as { spec?: unknown }).spec, secret))
    .map(({ kind, metadata }) => `${kind} ${metadata.name}`)
    .toSorted();
}

/** Objects besides Secrets in which one of these values stands. */
async function leaksOf(operator: ControlPlaneOperator, values: readonly string[]): Promise<string[]> {
  const namespaced = childKinds.filter(({ scope }) => scope === 'Namespaced');
  const objects = await objectsOf(operator, [...namespaced, ...workloads, ControlPlane, ConfigMap, Event]);
  return objects
    .filter((object) => values.some((value) => JSON.stringify(object).includes(value)))
    .map(({ kind, metadata }) => `${kind} ${metadata.name}`);
}

/** All that is secret about the admin credential right now. */
async function secretsOf(operator: ControlPlaneOperator): Promise<string[]> {
  const value = (await textIn(operator, credentialName.name, 'value')) ?? '';
  return [passwords.admin, nextPassword, value].flatMap((each) => [each, Buffer.from(each).toString('base64')]);
}

describe('TestCredentialInvariant', () => {
  /** The one of all tests that only look. */
  let shared: ControlPlaneOperator;
  before(async () => void (shared = await readyControlPlane()));
  after(() => shared[Symbol.asyncDispose]());

  test('MintedACIsRestricted: the minted application credential is restricted, in the object and in Keystone', async () => {
    const { spec } = await shared.cluster.client.get(ApplicationCredential, credentialName);
    assert.equal(spec.resource?.unrestricted, false);
    for (const { shown } of shared.keystone.state.credentials.values()) assert.equal(shown['unrestricted'], false);
  });

  test('AppCredentialSecretAbsentFromKeystoneSpec: the Keystone names neither the credential nor a clouds.yaml', async () => {
    const keystones = await objectsOf(shared, [Keystone]);
    assert.equal(keystones.length, 1);
    for (const name of [credentialName.name, passwordCloudName.name, cloudsYamlName.name]) {
      assert.ok(!JSON.stringify(keystones.map((keystone) => (keystone as Keystone).spec)).includes(name));
    }
  });

  test('AppCredentialSecretReferencedOnlyByPushSecretAndAC', async () => {
    assert.deepEqual(await referrersOf(shared, credentialName.name), [
      'ApplicationCredential controlplane-admin-app-credential',
      'PushSecret controlplane-admin-app-credential-backup',
    ]);
  });

  test('NoWorkloadReferencesAppCredentialSecret: no pod and no pod template names it', async () => {
    await using operator = await readyControlPlane();
    const { client } = operator.cluster;
    const objects = await objectsOf(operator, workloads);
    assert.ok(objects.length > 0);
    for (const name of [credentialName.name, passwordCloudName.name, cloudsYamlName.name]) {
      assert.ok(!objects.some((object) => mentions(object, name)));
    }
    // And one that did would be found.
    const containers = [{ name: 'a', image: 'a', envFrom: [{ secretRef: { name: credentialName.name } }] }];
    const pod: Pod = { apiVersion: 'v1', kind: 'Pod', metadata: { ...home, name: 'thief' }, spec: { containers } };
    await client.create(Pod, pod);
    assert.ok((await referrersOf(operator, credentialName.name)).includes('Pod thief'));
  });

  test('PasswordCloudReferencedOnlyByKORC: only the imports and the credential log in by password', async () => {
    assert.deepEqual(await referrersOf(shared, passwordCloudName.name), [
      'ApplicationCredential controlplane-admin-app-credential',
      'Domain controlplane-domain-default',
      'User controlplane-user-admin',
    ]);
  });

  test('NoSecretValueOutsideSecrets: no object, status, Event or log line holds password or credential, in any rotation', async () => {
    const logged: string[] = [];
    await using operator = await readyControlPlane({ write: (entry) => void logged.push(JSON.stringify(entry)) });
    const { client, clock } = operator.cluster;
    const seen = new Set(await secretsOf(operator));
    operator.keystone.bootstrap({ password: nextPassword });
    await storePassword(operator, nextPassword);
    for (let pass = 0; pass < 30; pass += 1) {
      await clock.advance(seconds(2));
      for (const value of await secretsOf(operator)) if (value !== '') seen.add(value);
    }
    await nudge(operator);
    await clock.advance(minutes(2));
    await operator.untilCondition('Ready', allReady);
    for (const value of await secretsOf(operator)) if (value !== '') seen.add(value);
    assert.ok(seen.size >= 6);
    assert.deepEqual(await leaksOf(operator, [...seen]), []);
    assert.ok(![...seen].some((value) => logged.some((line) => line.includes(value))));
    const [value = ''] = seen;
    const leak: ConfigMap = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { ...home, name: 'leak' },
      data: { a: value },
    };
    await client.create(ConfigMap, leak);
    assert.deepEqual(await leaksOf(operator, [...seen]), ['ConfigMap leak']);
  });

  test('NoPasswordInCloudsYamlAfterFirstMint: neither in the Secrets that hold the credential nor in OpenBao', async () => {
    await using operator = await readyControlPlane();
    const { clock } = operator.cluster;
    // The re-mint stops half way, so that it can be observed.
    await operator.neighbours.korc.stop();
    operator.keystone.bootstrap({ password: nextPassword });
    await storePassword(operator, nextPassword);
    const check = async () => {
      for (const name of [credentialName.name, cloudsYamlName.name]) {
        assert.doesNotMatch((await textIn(operator, name)) ?? '', /password/);
      }
      assert.doesNotMatch(JSON.stringify(operator.vault.read(paths.applicationCredential) ?? {}), /password/);
    };
    for (let pass = 0; pass < 30; pass += 1) {
      await check();
      await clock.advance(seconds(2));
    }
    await operator.neighbours.korc.start();
    await operator.untilCondition('Ready', allReady);
    await check();
  });

  test('CredentialSurvivesInOpenBao: the PushSecret deletes nothing, and the path is of this ControlPlane alone', async () => {
    const [push] = (await objectsOf(shared, [PushSecret])) as PushSecret[];
    assert.equal(push?.spec.deletionPolicy, 'None');
    assert.ok(shared.vault.paths().includes(paths.applicationCredential));
    const sync = (await objectsOf(shared, [ExternalSecret])) as ExternalSecret[];
    assert.ok(sync.some(({ metadata }) => metadata.name === cloudsYamlName.name));
    assert.equal(
      (await objectsOf(shared, [Secret])).filter(({ metadata }) => metadata.name === credentialName.name).length,
      1,
    );
  });
});
