// SPDX-License-Identifier: Apache-2.0
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { Endpoint, Service } from '@forge/kube/third-party/korc.ts';
import { isFault } from '@forge/runtime/steps/fault.ts';
import { identityAddressOf, namesOf, passwordRefOf } from '../../names.ts';
import { cloudsYamlKey } from '../../objects/credential/clouds-yaml.ts';
import { passwordCloudSecret, valueIn } from '../../objects/credential/credential-secrets.ts';
import { loginBy } from '../../objects/korc/korc-object.ts';
import type { KorcChild, TeardownContext } from './korc-children.ts';

/** The admin password; undefined when its Secret is gone. */
export function passwordOf({ object: controlPlane, get }: TeardownContext) {
  const { name, key } = passwordRefOf(controlPlane);
  return valueIn(get(Secret, name), key);
}

/** Whether the administrator can log in: only then does K-ORC revoke what it deletes. */
export async function answersLogin(context: TeardownContext): Promise<boolean> {
  const password = passwordOf(context);
  if (password === undefined) return false;
  const { object: controlPlane, services, signal } = context;
  return (await services.identity.logIn(identityAddressOf(controlPlane), { password }, signal)) === 'accepted';
}

/**
 * Has K-ORC log in by password for all that is deleted: the application credential is among that, and once it is revoked
 * nothing else could be. The catalog entries stay in Keystone. In a namespace that is deleted as a whole nothing is redirected.
 */
export async function redirectLogins(children: readonly KorcChild[], context: TeardownContext): Promise<void> {
  const { patch, log } = context;
  try {
    const cloudCredentialsRef = await passwordLogin(context);
    if (cloudCredentialsRef === undefined) return;
    for (const { kind, live } of children) {
      const isCatalog = kind === Service || kind === Endpoint;
      const managedOptions = isCatalog && { managedOptions: { onDelete: 'detach' } };
      await patch(kind, live, { spec: { cloudCredentialsRef, ...managedOptions } });
    }
  } catch (error) {
    // A refusal must not hold the ControlPlane for ever.
    if (isFault(error)) throw error;
    log.warn('K-ORC is not given the login by password', { error });
  }
}

/**
 * The login by password, if there is one: brought up to date as far as Keystone accepts the password, and otherwise with the
 * entry that it has.
 */
async function passwordLogin(
  context: TeardownContext,
): Promise<{ secretName: string; cloudName?: string } | undefined> {
  const { object: controlPlane, get, apply } = context;
  const { passwordCloud: secretName } = namesOf(controlPlane);
  const live = get(Secret, secretName);
  if (live?.metadata.deletionTimestamp !== undefined) return undefined;
  const password = passwordOf(context);
  const wanted = password && passwordCloudSecret(controlPlane, password);
  let isCurrent = wanted !== undefined && live?.data?.[cloudsYamlKey] === wanted.data?.[cloudsYamlKey];
  if (wanted !== undefined && !isCurrent && (await answersLogin(context))) {
    await apply(wanted);
    isCurrent = true;
  }
  if (isCurrent) return loginBy(controlPlane, secretName);
  return live && { secretName };
}
