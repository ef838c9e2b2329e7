// SPDX-License-Identifier: Apache-2.0
import { ServiceAccount } from '@forge/kube/kinds/builtin.ts';
import type { NamespaceFixture } from './namespace-fixture.ts';

/** The account of pods that name none. */
export const defaultAccount: NamespaceFixture<ServiceAccount> = {
  kind: ServiceAccount,
  object: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } },
};
