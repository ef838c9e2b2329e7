// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { dbConnectionHashAnnotation, keyNamesOf, namesOf, type KeyType } from '@forge/keystone/api/names.ts';
import { Job, SubjectAccessReview, type Pod } from '@forge/kube/kinds/builtin.ts';
import { eventually } from '@forge/testing/programs/eventually.ts';
import { filesIn } from '@forge/testing/programs/pod-processes.ts';
import { credentialPaths } from '../../openbao/seed.ts';
import { passwordLogin } from '../../up/identity.ts';
import { fernetSigner, issuedAt } from './fernet-token.ts';
import type { LiveKeystone } from './live-keystone.ts';
import type { LocalKeystones } from './local-keystones.ts';
import { loneKeystone, ref } from './lone-keystone.ts';
import { restartsOf } from './pods.ts';
import { keysOf, rotate } from './rotation.ts';
import { secretLeaks } from './secret-leaks.ts';
import { checkCredential, storeCredential } from './stored-credential.ts';
import { canary, emptyCache, writeSecret } from './tenant.ts';

const operatorUser = 'system:serviceaccount:forge-system:keystone-operator';
const paths = credentialPaths({ namespace: ref.namespace, keystone: ref.name });

/** The digest of the database connection that a pod was started with. */
const hashOf = ({ metadata }: Pod) => metadata.annotations?.[dbConnectionHashAnnotation];

describe('the credentials and keys of a Keystone', () => {
  const stack = new AsyncDisposableStack();
  let cluster: LocalKeystones;
  let keystone: LiveKeystone;

  before(async () => {
    ({ cluster, keystone } = await loneKeystone(stack, { replicas: 2 }));
  });
  after(() => stack.disposeAsync());

  /** The writers of the production keys, among the operator and the rotation script. */
  async function keyWriters(keyType: KeyType): Promise<string[]> {
    const { keys: name, rotate: account } = keyNamesOf(await keystone.get(), keyType);
    const users = [operatorUser, `system:serviceaccount:${ref.namespace}:${account}`];
    const allowed = users.flatMap((user) =>
      ['create', 'update', 'patch', 'delete'].map(async (verb) => {
        const resourceAttributes = { namespace: ref.namespace, verb, resource: 'secrets', name };
        const { status } = await cluster.client.create(SubjectAccessReview, {
          apiVersion: 'authorization.k8s.io/v1',
          kind: 'SubjectAccessReview',
          metadata: {} as SubjectAccessReview['metadata'],
          spec: { user, resourceAttributes },
        });
        return status?.allowed === true ? [user] : [];
      }),
    );
    return [...new Set((await Promise.all(allowed)).flat())];
  }

  test('a new Keystone issues tokens', async () => {
    await keystone.untilReady();
    const token = await keystone.login();
    assert.equal(await keystone.identity.validate(token), 'admin');
    assert.equal(await keystone.identity.login(passwordLogin('another password')), undefined);
  });

  test('a database password changed in OpenBao reaches the pods, after the schema check, without a failed request', async () => {
    const [old] = (await keystone.pods()).map(hashOf);
    assert.ok(old);
    const pods = await keystone.underLoad(async () => {
      await writeSecret(cluster, paths.database, { username: ref.name, password: canary() });
      return await eventually(
        'all pods have the new connection',
        async () => {
          const found = await keystone.pods();
          return found.length === 2 && found.every((pod) => hashOf(pod) !== old) && found;
        },
        { observed: () => keystone.get() },
      );
    });
    await keystone.untilReady();
    const name = namesOf(await keystone.get()).schemaCheck;
    const { spec, status } = await cluster.client.get(Job, { namespace: ref.namespace, name });
    assert.equal(spec?.template.metadata?.annotations?.[dbConnectionHashAnnotation], hashOf(pods[0] as Pod));
    for (const pod of pods) {
      assert.ok(Date.parse(status?.completionTime ?? '') <= Date.parse(pod.metadata.creationTimestamp ?? ''));
    }
    await keystone.login();
  });

  test("an administrator's password changed in OpenBao replaces the old one", async () => {
    const old = await keystone.password();
    const changed = canary();
    await writeSecret(cluster, paths.admin, { password: changed });
    const first = await eventually('the new password works', () => keystone.identity.login(passwordLogin(changed)), {
      observed: () => keystone.get(),
    });
    assert.equal(await keystone.identity.login(passwordLogin(old)), undefined);
    await keystone.untilReady();
    // Keystone revokes all tokens of the second in which a password changed, those of the new password too.
    await eventually('that second is over', async () => issuedAt(await keystone.login()) > issuedAt(first));
  });

  test('Fernet keys that the script rotates reach running pods, and tokens stay valid', async () => {
    const { client } = cluster;
    const lives = restartsOf(await keystone.pods());
    const old = await keysOf(client, keystone, 'fernet');
    const token = await keystone.login();
    assert.equal(fernetSigner(token, old.keys), String(old.primary));
    await keystone.underLoad(async () => {
      await rotate(client, keystone, 'fernet');
      const { keys, primary } = await keysOf(client, keystone, 'fernet');
      assert.equal(primary, old.primary + 1);
      assert.equal(keys[primary], old.keys[0]);
      assert.equal(keys[old.primary], old.keys[old.primary]);
      // Several tokens in a row, so that both pods issue one.
      await eventually('the new primary key signs', async () => {
        const tokens = await Promise.all(Array.from({ length: 8 }, () => keystone.login()));
        return tokens.every((each) => fernetSigner(each, keys) === String(primary));
      });
      await emptyCache(cluster, ref);
      assert.equal(await keystone.identity.validate(token), 'admin');
    });
    assert.deepEqual(restartsOf(await keystone.pods()), lives);
    assert.deepEqual(await keyWriters('fernet'), [operatorUser]);
  });

  test('credentials stored before credential keys were rotated can be read', async () => {
    const stored = await storeCredential(keystone);
    const old = await keysOf(cluster.client, keystone, 'credential');
    await rotate(cluster.client, keystone, 'credential');
    const { primary } = await keysOf(cluster.client, keystone, 'credential');
    assert.equal(primary, old.primary + 1);
    for (const { metadata } of await keystone.pods()) {
      await eventually('the keys reach the pod', async () =>
        (await filesIn(metadata.name, 'python3', '/etc/keystone/credential-keys')).includes(String(primary)),
      );
    }
    await emptyCache(cluster, ref);
    await checkCredential(keystone, stored);
    assert.deepEqual(await keyWriters('credential'), [operatorUser]);
  });
  test('no secret value appears outside of Secrets', async () => {
    assert.deepEqual(await secretLeaks(cluster), []);
  });
});
