// SPDX-License-Identifier: Apache-2.0
import { ControlPlane } from '@forge/controlplane/control-plane.ts';
import { CredentialRotation } from '@forge/controlplane/credential-rotation.ts';
import { adminApplicationCredential } from '@forge/controlplane/kind/rotation.ts';
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { isReady } from '@forge/runtime/objects/ready-condition.ts';
import { sleep, systemClock } from '@forge/runtime/time/clock.ts';
import { milliseconds } from '@forge/runtime/time/duration.ts';
import { credentialIn } from '../up/application-credential.ts';
import { credentialLogin, identity, type Credential } from '../up/identity.ts';
import type { Up } from '../up/up.ts';
import type { Timed } from './check-keystone.ts';

type Checked = Pick<Up, 'client' | 'demo' | 'url'>;

/** K-ORC revokes and mints in seconds, more on a busy machine; two copies by External Secrets follow. */
const longestRotation = 120_000;

/** Uses the ControlPlane's application credential and has it rotated; throws at the first unexpected answer. */
export async function checkControlPlane(up: Checked, timed: Timed): Promise<void> {
  const { url } = up;
  const keystone = identity(url);
  const first = await mirroredCredential(up);
  if (first === undefined) throw new Error('the mirrored clouds.yaml holds no application credential');
  const token = await timed('credentialToken', () => keystone.login(credentialLogin(first)));
  if (token === undefined) throw new Error(`${url} rejected the application credential ${first.id}`);

  const entries = await timed('catalog', () => keystone.catalogUrls(token, 'public'));
  if (entries.join(' ') !== url) throw new Error(`the catalog names ${entries.join(' and ')}, not ${url}`);

  const second = await timed('rotation', () => rotated(up, first));
  const old = await timed('oldCredential', () => keystone.login(credentialLogin(first)));
  if (old !== undefined) throw new Error(`${url} accepts the application credential ${first.id}, which was rotated`);
  const renewed = await timed('newCredential', () => keystone.login(credentialLogin(second)));
  if (renewed === undefined) throw new Error(`${url} rejected the new application credential ${second.id}`);
}

/** The application credential as External Secrets hands it to others. */
async function mirroredCredential({ client, demo }: Checked): Promise<Credential | undefined> {
  const { namespace, cloudsYaml = { secret: '', cloud: '' } } = demo;
  return credentialIn(await client.find(Secret, { namespace, name: cloudsYaml.secret }), cloudsYaml.cloud);
}

/** Asks for another credential, and waits until that is mirrored and the ControlPlane is ready again. */
async function rotated(up: Checked, first: Credential): Promise<Credential> {
  const { client, demo } = up;
  const { namespace, controlPlane: name = '' } = demo;
  const { apiVersion, kind } = CredentialRotation;
  const spec = { target: adminApplicationCredential, reMint: true } as const;
  await client.create(CredentialRotation, { apiVersion, kind, metadata: { namespace, name: 'forge-check' }, spec });
  for (const end = systemClock.now() + longestRotation; systemClock.now() < end;) {
    const current = await mirroredCredential(up);
    const controlPlane = await client.get(ControlPlane, { namespace, name });
    if (current !== undefined && current.id !== first.id && isReady(controlPlane)) return current;
    await sleep(systemClock, milliseconds(200));
  }
  throw new Error(`the application credential ${first.id} was not rotated within ${longestRotation / 1000} s`);
}
