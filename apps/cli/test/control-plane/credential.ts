// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { ControlPlane } from '@forge/controlplane/api/control-plane.ts';
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { ExternalSecret } from '@forge/kube/third-party/external-secrets.ts';
import { ApplicationCredential } from '@forge/kube/third-party/korc.ts';
import { eventually } from '@forge/testing/programs/eventually.ts';
import { namespace } from '../../up/demo.ts';
import { identity, passwordLogin } from '../../up/identity.ts';
import { at, names, paths, type ControlPlaneCluster } from './cluster.ts';

const forceSync = 'external-secrets.io/force-sync';

/** Tests the admin application credential after changes by users. */
export function testCredential(cluster: () => ControlPlaneCluster): void {
  test('applies a new admin password from OpenBao to Keystone and creates a new credential; no clouds.yaml is refused for 30 s', async () => {
    const { client, data, url } = cluster();
    const former = await cluster().mirrored(namespace);
    const { password: old = '' } = await cluster().contentAt(paths.admin);
    const password = `${old}-changed`;
    await cluster().write(paths.admin, { password });
    const changed = { metadata: { annotations: { [forceSync]: 'now' } } };
    await client.patch(ExternalSecret, at(namespace, names.adminPassword), 'merge', changed);

    let refusedSince: number | undefined;
    let longest = 0;
    let isReported = true;
    const isDone = async () => {
      const answer = await cluster().login(namespace);
      const now = performance.now();
      if (answer === 'refused') {
        refusedSince ??= now;
        longest = Math.max(longest, now - refusedSince);
        const conditions = ['KORCReady', 'AdminCredentialReady'].map((type) => cluster().conditionOf(namespace, type));
        const statuses = (await Promise.all(conditions)).map((each) => each?.status);
        // The refused clouds.yaml may have been replaced in between.
        isReported = isReported && (statuses.includes('False') || (await cluster().login(namespace)) === 'accepted');
      } else refusedSince = undefined;
      return answer === 'accepted' && (await cluster().mirrored(namespace))?.id !== former?.id;
    };
    await eventually('consumers have another credential', isDone);
    assert.ok(longest < 30_000, `the clouds.yaml was refused for ${longest} ms`);
    assert.ok(isReported, 'a condition is not True while the clouds.yaml is refused');
    await cluster().untilReady(namespace);
    assert.equal(await identity(url).login(passwordLogin(old)), undefined);
    assert.notEqual(await identity(url).login(passwordLogin(password)), undefined);
    assert.equal((await cluster().credentials(namespace)).length, 1);
    const id = (await cluster().mirrored(namespace))?.id ?? assert.fail();
    const isWritten = async () => (await readFile(data.path('clouds.yaml'), 'utf8')).includes(id);
    await eventually('the login files have it, too', isWritten);
  });

  test('replaces a credential that was deleted in Keystone, ten minutes after its creation', async () => {
    const { client } = cluster();
    const [credential] = await cluster().credentials(namespace);
    const admin = await cluster().administrator(namespace);
    await admin.call('DELETE', `users/${admin.userId}/application_credentials/${credential?.id}`);
    assert.equal(await cluster().login(namespace), 'refused');
    const lastRotation = new Date(Date.now() - 11 * 60_000).toISOString().replace(/\.\d+Z/, 'Z');
    const status = { adminApplicationCredential: { lastRotation } };
    await client.patch(ControlPlane, at(namespace), 'merge', { status }, { subresource: 'status' });
    // A new process logs in at once; the old one would do so within ten minutes.
    await cluster().kill('c5c3-operator');
    await cluster().untilRenewed(namespace, credential?.id);
  });

  test('creates a new credential when its ApplicationCredential is deleted', async () => {
    const former = await cluster().mirrored(namespace);
    await cluster().client.delete(ApplicationCredential, at(namespace, names.credential));
    await cluster().untilRenewed(namespace, former?.id);
    assert.equal((await cluster().credentials(namespace)).length, 1);
  });

  test('recreates the ExternalSecret of clouds.yaml when it is deleted; logins still work, although K-ORC holds the Secret', async () => {
    const { client } = cluster();
    const ref = at(namespace, names.cloudsYaml);
    const { uid } = (await client.get(ExternalSecret, ref)).metadata;
    await client.delete(ExternalSecret, ref);
    const isCreated = async () => ![undefined, uid].includes((await client.find(ExternalSecret, ref))?.metadata.uid);
    await eventually('it is created again', isCreated);
    await cluster().untilReady(namespace);
    assert.equal(await cluster().login(namespace), 'accepted');
  });

  test('restores a clouds.yaml that was overwritten in OpenBao', async () => {
    const { client } = cluster();
    const former = await cluster().mirrored(namespace);
    const { value = '' } = await cluster().contentAt(paths.credential);
    await cluster().write(paths.credential, { value, 'clouds.yaml': 'clouds: {}' });
    const changed = { metadata: { annotations: { [forceSync]: 'by hand' } } };
    await client.patch(ExternalSecret, at(namespace, names.cloudsYaml), 'merge', changed);
    await cluster().untilReason(namespace, 'AdminCredentialReady', 'WaitingForCloudsYamlSync');
    const isBack = async () => (await cluster().mirrored(namespace))?.id === former?.id;
    await eventually('it is pushed again', isBack);
    await cluster().untilReady(namespace);
  });
  test('replaces the Secret that is still terminating a minute after the ExternalSecret was deleted', async () => {
    const isReplaced = async () => {
      const secret = await cluster().client.find(Secret, at(namespace, names.cloudsYaml));
      return secret !== undefined && secret.metadata.deletionTimestamp === undefined;
    };
    await eventually('the Secret is not terminating', isReplaced);
    await cluster().untilReady(namespace);
    assert.equal(await cluster().login(namespace), 'accepted');
  });
}
