// SPDX-License-Identifier: Apache-2.0
import { deletionStepFor } from '@forge/runtime/steps/deletion-step.ts';
import { stepFor, type Services as OutsideServices } from '@forge/runtime/steps/step.ts';
import type { KeystoneApi } from './clients/keystone-api.ts';
import type { Keystone } from './keystone.ts';

/** What the steps need from outside the cluster, and how its process is configured. */
export type Services = OutsideServices<{
  keystoneApi: KeystoneApi;
  /** Name of the ClusterSecretStore that credentials come from and key backups go to. */
  secretStore: string;
  /** Namespace of the operator's own pod; undefined outside of a cluster. */
  ownNamespace: string | undefined;
}>;

/** The ClusterSecretStore unless a flag names another. */
export const defaultSecretStore = 'openbao-cluster-store';

/** A step of a Keystone's reconciliation. */
export const step = stepFor<Keystone, Services>();

/** A step of its deletion. */
export const deletionStep = deletionStepFor<Keystone, Services>();
