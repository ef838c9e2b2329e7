// SPDX-License-Identifier: Apache-2.0
import type { Deployment } from '@forge/kube/kinds/builtin.ts';
import { isControlledBy } from '@forge/runtime/objects/owner-reference.ts';
import type { Keystone } from '../../api/keystone.ts';

/** The configuration and the image that the API pods of this Keystone are made from; undefined while it has none. */
export function deployedConfig(
  live: Deployment | undefined,
  keystone: Keystone,
): NonNullable<Keystone['status']>['validatedConfig'] {
  if (live === undefined || !isControlledBy(live, keystone)) return undefined;
  const { volumes = [], containers = [] } = live.spec?.template.spec ?? {};
  const configMap = volumes.find(({ name }) => name === 'config')?.configMap?.name;
  const image = containers.find(({ name }) => name === 'keystone')?.image;
  return configMap === undefined || image === undefined ? undefined : { configMap, image };
}
