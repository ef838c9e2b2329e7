// SPDX-License-Identifier: Apache-2.0
import { ControlPlane } from '@forge/controlplane/api/control-plane.ts';
import { CredentialRotation } from '@forge/controlplane/api/credential-rotation.ts';
import { adminApplicationCredential } from '@forge/controlplane/api/rotation.ts';
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { sleep, systemClock } from '@forge/runtime/environment/clock.ts';
import { milliseconds } from '@forge/runtime/environment/duration.ts';
import { isReady } from '@forge/runtime/objects/ready-condition.ts';
import { credentialIn } from '../up/application-credential.ts';
import { credentialLogin, identity, type Credential } from '../up/identity.ts';
import type { Up } from '../up/up.ts';
import type { Timed } from './check-keystone.ts';

type Checked = Pick<Up, 'client' | 'demo' | 'url'>;

/**
 * K-ORC revokes and creates a credential in seconds, External Secrets then copies it twice; slower on a busy machine.
 */
const rotationTimeout = 120_000;

/** Uses the ControlPlane's application credential and rotates it; throws at the first unexpected response. */
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

/** The application credential as External Secrets provides it to consumers. */
async function mirroredCredential({ client, demo }: Checked): Promise<Credential | undefined> {
  const { namespace, cloudsYaml = { secret: '', cloud: '' } } = demo;
  return credentialIn(await client.find(Secret, { namespace, name: cloudsYaml.secret }), cloudsYaml.cloud);
}

/** Requests a new credential, and waits until it is mirrored and the ControlPlane is ready again. */
async function rotated(up: Checked, first: Credential): Promise<Credential> {
  const { client, demo } = up;
  const { namespace, controlPlane: name = '' } = demo;
  const { apiVersion, kind } = CredentialRotation;
  const spec = { target: adminApplicationCredential, reMint: true } as const;
  await client.create(CredentialRotation, { apiVersion, kind, metadata: { namespace, name: 'forge-check' }, spec });
  for (const end = systemClock.now() + rotationTimeout; systemClock.now() < end;) {
    const current = await mirroredCredential(up);
    const controlPlane = await client.get(ControlPlane, { namespace, name });
    if (current !== undefined && current.id !== first.id && isReady(controlPlane)) return current;
    await sleep(systemClock, milliseconds(200));
  }
  throw new Error(`the application credential ${first.id} was not rotated within ${rotationTimeout / 1000} s`);
}
