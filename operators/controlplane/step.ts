// SPDX-License-Identifier: Apache-2.0
import type { IdentityActions, IdentityApi } from '@forge/openstack/identity-api.ts';
import { deletionStepFor } from '@forge/runtime/steps/deletion-step.ts';
import { stepFor, type Services as OutsideServices } from '@forge/runtime/steps/step.ts';
import type { Clock } from '@forge/runtime/time/clock.ts';
import type { ControlPlane } from './control-plane.ts';
import type { CredentialRotation } from './credential-rotation.ts';

/** What the process gives the controller: what is outside the cluster, and how the process is configured. */
export type ProcessServices = OutsideServices<
  {
    /** Name of the ClusterSecretStore that credentials come from and go to. */
    secretStore: string;
    /** The Keystones of ControlPlanes. */
    identity: IdentityApi;
  },
  { identity: IdentityActions }
>;

/** What the steps have besides the cluster. */
export type Services = OutsideServices<
  ProcessServices['reading'] & {
    /** Whether this process has seen for long that K-ORC gave up on the object of this uid. */
    isLongTerminal: (uid: string, clock: Pick<Clock, 'monotonic'>) => boolean;
    /** Whether this process has seen for long that the object of this uid is Terminating. */
    isLongTerminating: (uid: string, clock: Pick<Clock, 'monotonic'>) => boolean;
  },
  ProcessServices['acting']
>;

/** The ClusterSecretStore unless a flag names another. */
export const defaultSecretStore = 'openbao-cluster-store';

/** A step of a ControlPlane's reconciliation. */
export const step = stepFor<ControlPlane, Services>();

/** A step of its deletion. */
export const deletionStep = deletionStepFor<ControlPlane, Services>();

/** A step of a CredentialRotation's reconciliation. */
export const rotationStep = stepFor<CredentialRotation, OutsideServices>();
