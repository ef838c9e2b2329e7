// SPDX-License-Identifier: Apache-2.0
import { keystoneController } from '@forge/keystone/reconcile.ts';
import { defaultSecretStore } from '@forge/openstack/secret-store.ts';
import type { Controller } from '@forge/runtime/controller/controller.ts';

/** The controllers of the keystone operator, with every Keystone API reported healthy. */
export function healthyKeystones(): Controller[] {
  const keystoneApi = { health: async () => ({ found: 'healthy' }) as const };
  return [
    keystoneController({
      reading: { keystoneApi, secretStore: defaultSecretStore, ownNamespace: undefined },
      acting: {},
    }),
  ];
}
