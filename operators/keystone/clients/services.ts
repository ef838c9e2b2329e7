// SPDX-License-Identifier: Apache-2.0
import type { StepContext } from '@forge/runtime/steps/step-context.ts';
import type { Services as OutsideServices } from '@forge/runtime/steps/step.ts';
import type { Keystone } from '../api/keystone.ts';
import type { KeystoneApi } from './keystone-api.ts';

/** What the steps need from outside the cluster, and how its process is configured. */
export type Services = OutsideServices<{
  keystoneApi: KeystoneApi;
  /** Name of the ClusterSecretStore that credentials come from and key backups go to. */
  secretStore: string;
  /** Namespace of the operator's own pod; undefined outside of a cluster. */
  ownNamespace: string | undefined;
}>;

/** The context of a part of a step; `Needs` are the outputs of other steps that it gets. */
export type ContextWith<Needs extends object = object> = StepContext<Keystone, Services, Needs>;
