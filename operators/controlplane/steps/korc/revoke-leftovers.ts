// SPDX-License-Identifier: Apache-2.0
import type { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import { credentialPrefixOf, identityAddressOf } from '../../api/names.ts';
import type { ContextWith } from '../../clients/services.ts';

type Context = Pick<ContextWith, 'object' | 'services' | 'act' | 'signal'>;

/**
 * Revokes the application credentials of the ControlPlane that are left in Keystone, except the one to keep: K-ORC or Keystone
 * may have been down when an earlier one was deleted. Throws an HttpError or an IdentityError when Keystone does not answer.
 *
 * @returns the id of the administrator.
 */
export async function revokeLeftovers(
  { object: controlPlane, services, act, signal }: Context,
  { password, keep }: { password: SecretValue; keep?: string },
): Promise<string> {
  const address = identityAddressOf(controlPlane);
  const prefix = credentialPrefixOf(controlPlane);
  const administrator = await services.identity.administrator(address, { password }, signal);
  for (const { id, name } of administrator.credentials) {
    if (!name.startsWith(prefix) || name === keep) continue;
    const revoke = `revoke application credential ${name} at ${address.url}`;
    await act(revoke, ({ identity }) => identity.revoke(address, { password }, id, signal));
  }
  return administrator.id;
}
