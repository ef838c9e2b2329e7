// SPDX-License-Identifier: Apache-2.0
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { Endpoint, Service } from '@forge/kube/third-party/korc.ts';
import type { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import { isFault } from '@forge/runtime/steps/fault.ts';
import { identityAddressOf, namesOf, passwordRefOf } from '../../api/names.ts';
import { cloudsYamlKey, passwordIn } from '../../objects/credential/clouds-yaml.ts';
import { passwordCloudSecret, valueIn } from '../../objects/credential/credential-secrets.ts';
import { loginBy } from '../../objects/korc/korc-object.ts';
import type { KorcChild, TeardownContext } from './korc-children.ts';
import { isForeground } from './release-held.ts';

/**
 * The passwords that Keystone may accept: that of the Secret, and the operator's own copy in case the Secret is gone or wrong.
 */
export function passwordsOf({ object: controlPlane, get }: TeardownContext): SecretValue[] {
  const { name, key } = passwordRefOf(controlPlane);
  const password = valueIn(get(Secret, name), key);
  const login = valueIn(get(Secret, namesOf(controlPlane).passwordCloud), cloudsYamlKey);
  const copy = login && passwordIn(login);
  return [password, copy?.reveal() === password?.reveal() ? undefined : copy].filter((each) => each !== undefined);
}

/** Whether the administrator can log in: only then does K-ORC revoke what it deletes. */
export async function answersLogin(context: TeardownContext): Promise<boolean> {
  for (const password of passwordsOf(context)) if (await isAccepted(password, context)) return true;
  return false;
}

async function isAccepted(password: SecretValue, context: TeardownContext): Promise<boolean> {
  const { object: controlPlane, services, signal } = context;
  return (await services.identity.logIn(identityAddressOf(controlPlane), { password }, signal)) === 'accepted';
}

/**
 * Makes K-ORC log in by password for everything that is deleted: once the application credential is revoked, it could not
 * delete the rest with it. The catalog entries stay in Keystone. If the whole namespace is being deleted, nothing is
 * redirected.
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
    // A refusal must not hold the ControlPlane forever.
    if (isFault(error)) throw error;
    log.warn('K-ORC is not given the login by password', { error });
  }
}

/** The login by password, if there is one: updated if Keystone accepts the password, unchanged otherwise. */
async function passwordLogin(
  context: TeardownContext,
): Promise<{ secretName: string; cloudName?: string } | undefined> {
  const { object: controlPlane, get, apply } = context;
  const { passwordCloud: secretName } = namesOf(controlPlane);
  const live = get(Secret, secretName);
  if (live?.metadata.deletionTimestamp !== undefined) return undefined;
  const [password] = passwordsOf(context);
  const asItIs = live && { secretName };
  if (password === undefined) return asItIs;
  const wanted = passwordCloudSecret(controlPlane, password);
  if (live?.data?.[cloudsYamlKey] !== wanted.data?.[cloudsYamlKey]) {
    // In a foreground deletion nothing is created: the garbage collector has just deleted it.
    const mayWrite = live !== undefined || !isForeground(controlPlane);
    if (!mayWrite || !(await isAccepted(password, context))) return asItIs;
    await apply(wanted, { retainOnDelete: true });
  }
  return loginBy(controlPlane, secretName);
}
