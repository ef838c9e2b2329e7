// SPDX-License-Identifier: Apache-2.0
import { ServiceAccount } from '@forge/kube/kinds/builtin.ts';
import type { PerNamespaceObject } from './per-namespace-object.ts';

/** The ServiceAccount `default` of every namespace. */
export const defaultServiceAccount: PerNamespaceObject<ServiceAccount> = {
  kind: ServiceAccount,
  object: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } },
};
