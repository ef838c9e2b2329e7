// SPDX-License-Identifier: Apache-2.0
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { ClusterSecretStore, ExternalSecret, PushSecret } from '@forge/kube/third-party/external-secrets.ts';
import { ApplicationCredential } from '@forge/kube/third-party/korc.ts';
import { defaultSecretStore } from '@forge/openstack/secret-store.ts';
import { milliseconds } from '@forge/runtime/environment/duration.ts';
import { passwordHashAnnotation } from '../api/names.ts';
import { brownfield, home } from './control-plane-fixture.ts';
import { paths } from './neighbours.ts';
import { korcObjects, setKorc } from './script-korc.ts';
import { setReady } from './set-ready.ts';
import {
  allReady,
  startControlPlaneOperator,
  createControlPlane,
  createCredentials,
  type ControlPlaneOperator,
} from './start-control-plane-operator.ts';

/** Names of the fixture's objects. */
export const at = (name: string) => ({ ...home, name });
export const credentialName = at('controlplane-admin-app-credential');
export const cloudsYamlName = at('k-orc-clouds-yaml');
export const backupName = at('controlplane-admin-app-credential-backup');
export const passwordCloudName = at('controlplane-admin-password-cloud');

/** What a CredentialRotation does: asks for another credential. */
export async function nudge({ cluster: { client } }: ControlPlaneOperator): Promise<void> {
  const change = { metadata: { annotations: { [passwordHashAnnotation]: '' } } };
  await client.patch(ApplicationCredential, credentialName, 'merge', change);
}

/** The text under a key of a Secret; undefined when there is none. */
export async function textIn(
  { cluster: { client } }: ControlPlaneOperator,
  name: string,
  key = 'clouds.yaml',
): Promise<string | undefined> {
  const value = (await client.find(Secret, at(name)))?.data?.[key];
  return value === undefined ? undefined : Buffer.from(value, 'base64').toString();
}

/** Changes the administrator's password in the secret store, and has it synced; Keystone gets it separately. */
export async function storePassword({ vault, cluster }: ControlPlaneOperator, password: string): Promise<void> {
  vault.write(paths.adminPassword, { password });
  const metadata = { annotations: { 'external-secrets.io/force-sync': String(cluster.clock.now()) } };
  await cluster.client.patch(ExternalSecret, at('controlplane-keystone-admin-credentials'), 'merge', { metadata });
}

/** Sets the status of the store, the PushSecret or the ExternalSecret as External Secrets would. */
export async function setSynced(
  { cluster: { client } }: ControlPlaneOperator,
  what: 'store' | 'push' | 'sync',
  status: 'True' | 'False' = 'True',
): Promise<void> {
  if (what === 'store') return await setReady(client, ClusterSecretStore, { name: defaultSecretStore }, status);
  await (what === 'push'
    ? setReady(client, PushSecret, backupName, status)
    : setReady(client, ExternalSecret, cloudsYamlName, status));
}

/** Advances to this moment and has the ControlPlane reconciled then: a Secret that it watches changes. */
export async function reconcileAt({ cluster: { client, clock } }: ControlPlaneOperator, time: number): Promise<void> {
  await clock.advance(milliseconds(time - clock.now()));
  await client.patch(Secret, cloudsYamlName, 'merge', { metadata: { labels: { now: String(time) } } });
  await clock.settle();
}

/** An operator with a ControlPlane that is ready. */
export async function readyControlPlane(
  options: Parameters<typeof startControlPlaneOperator>[0] = {},
): Promise<ControlPlaneOperator> {
  const operator = await startControlPlaneOperator(options);
  await createControlPlane(operator);
  await operator.untilCondition('Ready', allReady);
  return operator;
}

/** An operator whose ControlPlane, on a database of the user, waits for K-ORC, which is played. */
export async function waitingForKorc(
  options: Parameters<typeof startControlPlaneOperator>[0] = {},
): Promise<ControlPlaneOperator> {
  const operator = await startControlPlaneOperator({ wanted: ['keystone'], ...options });
  await createCredentials(operator);
  await createControlPlane(operator, { infrastructure: brownfield });
  await operator.cluster.clock.settle();
  return operator;
}

/** A ControlPlane on a database of the user, whose credential is minted; only the operator runs. */
export async function createMinted(operator: ControlPlaneOperator): Promise<void> {
  const { client, clock } = operator.cluster;
  await createCredentials(operator);
  await createControlPlane(operator, { infrastructure: brownfield });
  await clock.settle();
  await setKorc(client, korcObjects.domain, { available: 'default' });
  await setKorc(client, korcObjects.user, { available: 'u1' });
  await setKorc(client, korcObjects.credential, { available: 'c1' });
  const secret = (await textIn(operator, credentialName.name, 'value')) ?? '';
  const [userId = ''] = operator.keystone.state.admins;
  operator.keystone.state.credentials.set('c1', { userId, secret, shown: { id: 'c1', name: 'scripted' } });
  await clock.settle();
}

/** What KORCReady says until the previous credential is revoked. */
export const awaitingRevoke =
  'ReMinting: re-minting admin application credential "controlplane-admin-app-credential"; awaiting revoke of the previous credential';

/** Names of the credentials that Keystone holds. */
export const held = ({ keystone }: ControlPlaneOperator) =>
  [...keystone.state.credentials.values()].map(({ shown }) => String(shown['name']));

/** The object of K-ORC. */
export const credential = ({ cluster: { client } }: ControlPlaneOperator) =>
  client.get(ApplicationCredential, credentialName);

/** The id of the current credential, as status tells it. */
export const credentialId = async (operator: ControlPlaneOperator) =>
  (await operator.controlPlane()).status?.adminApplicationCredential?.id;

/** Waits for a credential that is another one, and the ControlPlane that is ready with it. */
export async function untilAnother(operator: ControlPlaneOperator, id: string | undefined): Promise<void> {
  await operator.cluster.clock.until(async () => {
    const current = await credentialId(operator);
    return current !== undefined && current !== id;
  });
  await operator.untilCondition('Ready', allReady);
}
