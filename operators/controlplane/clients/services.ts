// SPDX-License-Identifier: Apache-2.0
import type { IdentityActions, IdentityApi } from '@forge/openstack/identity-api.ts';
import type { RecentLogins } from '@forge/openstack/remembered-logins.ts';
import type { StepContext } from '@forge/runtime/steps/step-context.ts';
import type { Services as OutsideServices } from '@forge/runtime/steps/step.ts';
import type { ControlPlane } from '../api/control-plane.ts';

/** What the steps have besides the cluster: what is outside of it, and how the process is configured. */
export type Services = OutsideServices<
  {
    /** Name of the ClusterSecretStore that credentials come from and go to. */
    secretStore: string;
    /** The Keystones of ControlPlanes. */
    identity: IdentityApi & RecentLogins;
  },
  { identity: IdentityActions }
>;

/** What rotations have besides the cluster. */
export type RotationServices = OutsideServices<Pick<Services['reading'], 'secretStore'>>;

/** What the parts of a step work with, where the step has these outputs of others. */
export type ContextWith<Needs extends object = object> = StepContext<ControlPlane, Services, Needs>;
