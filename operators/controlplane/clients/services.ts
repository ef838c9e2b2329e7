// SPDX-License-Identifier: Apache-2.0
import type { IdentityActions, IdentityApi } from '@forge/openstack/identity-api.ts';
import type { RecentLogins } from '@forge/openstack/remembered-logins.ts';
import type { StepContext } from '@forge/runtime/steps/step-context.ts';
import type { Services as OutsideServices } from '@forge/runtime/steps/step.ts';
import type { ControlPlane } from '../api/control-plane.ts';

/** What the steps need from outside the cluster, and how its process is configured. */
export type Services = OutsideServices<
  {
    /** Name of the ClusterSecretStore that credentials come from and go to. */
    secretStore: string;
    /** The Keystones of ControlPlanes. */
    identity: IdentityApi & RecentLogins;
  },
  { identity: IdentityActions }
>;

/** What rotations need from outside the cluster. */
export type RotationServices = OutsideServices<Pick<Services['reading'], 'secretStore'>>;

/** The context of a part of a step; `Needs` are the outputs of other steps that it gets. */
export type ContextWith<Needs extends object = object> = StepContext<ControlPlane, Services, Needs>;
