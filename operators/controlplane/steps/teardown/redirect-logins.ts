// SPDX-License-Identifier: Apache-2.0
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { ApplicationCredential, Endpoint, Service } from '@forge/kube/third-party/korc.ts';
import { isFault } from '@forge/runtime/steps/fault.ts';
import { identityAddressOf, namesOf, passwordRefOf } from '../../names.ts';
import { cloudsYamlKey } from '../../objects/credential/clouds-yaml.ts';
import { passwordCloudSecret, valueIn } from '../../objects/credential/credential-secrets.ts';
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
  const { object: controlPlane, patch, log } = context;
  try {
    if (!(await hasPasswordCloud(context))) return;
    const cloudCredentialsRef = { secretName: namesOf(controlPlane).passwordCloud };
    for (const { kind, live } of children) {
      if (kind === ApplicationCredential) continue;
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

/** Whether the login by password is there, brought up to date with the password as far as Keystone accepts that. */
async function hasPasswordCloud(context: TeardownContext): Promise<boolean> {
  const { object: controlPlane, get, apply } = context;
  const live = get(Secret, namesOf(controlPlane).passwordCloud);
  if (live?.metadata.deletionTimestamp !== undefined) return false;
  const password = passwordOf(context);
  const wanted = password && passwordCloudSecret(controlPlane, password);
  const isCurrent = wanted === undefined || live?.data?.[cloudsYamlKey] === wanted.data?.[cloudsYamlKey];
  if (isCurrent || !(await answersLogin(context))) return live !== undefined;
  await apply(wanted);
  return true;
}
