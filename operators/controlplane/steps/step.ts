// SPDX-License-Identifier: Apache-2.0
import { deletionStepFor } from '@forge/runtime/steps/deletion-step.ts';
import { stepFor } from '@forge/runtime/steps/step.ts';
import type { ControlPlane } from '../api/control-plane.ts';
import type { CredentialRotation } from '../api/credential-rotation.ts';
import type { RotationServices, Services } from '../clients/services.ts';

/** A step of a ControlPlane's reconciliation. */
export const step = stepFor<ControlPlane, Services>();

/** A step of its deletion. */
export const deletionStep = deletionStepFor<ControlPlane, Services>();

/** A step of a CredentialRotation's reconciliation. */
export const rotationStep = stepFor<CredentialRotation, RotationServices>();
