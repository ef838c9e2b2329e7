// SPDX-License-Identifier: Apache-2.0
import type { IdentityActions, IdentityApi } from '@forge/openstack/identity-api.ts';
import type { RecentLogins } from '@forge/openstack/remembered-logins.ts';
import { deletionStepFor } from '@forge/runtime/steps/deletion-step.ts';
import { stepFor, type Services as OutsideServices } from '@forge/runtime/steps/step.ts';
import type { ControlPlane } from './control-plane.ts';
import type { CredentialRotation } from './credential-rotation.ts';

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

/** The ClusterSecretStore unless a flag names another. */
export const defaultSecretStore = 'openbao-cluster-store';

/** A step of a ControlPlane's reconciliation. */
export const step = stepFor<ControlPlane, Services>();

/** A step of its deletion. */
export const deletionStep = deletionStepFor<ControlPlane, Services>();

/** A step of a CredentialRotation's reconciliation. */
export const rotationStep = stepFor<CredentialRotation, RotationServices>();
