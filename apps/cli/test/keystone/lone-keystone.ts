// SPDX-License-Identifier: Apache-2.0
import { createKeystone, type LiveKeystone } from './live-keystone.ts';
import { localKeystones, type LocalKeystones } from './local-keystones.ts';
import { createTenant } from './tenant.ts';

/** The Keystone of tests that need only one. */
export const ref = { namespace: 'identity', name: 'keystone' };

/** Creates that Keystone on a new cluster, and waits until it is ready; the stack disposes of both. */
export async function loneKeystone(
  stack: AsyncDisposableStack,
  overrides?: Record<string, unknown>,
): Promise<{ cluster: LocalKeystones; keystone: LiveKeystone }> {
  const cluster = stack.use(await localKeystones());
  await createTenant(cluster, ref.namespace);
  const keystone = await createKeystone(cluster, ref, overrides);
  await keystone.untilReady();
  return { cluster, keystone };
}
