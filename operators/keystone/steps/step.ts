// SPDX-License-Identifier: Apache-2.0
import { deletionStepFor } from '@forge/runtime/steps/deletion-step.ts';
import { stepFor } from '@forge/runtime/steps/step.ts';
import type { Keystone } from '../api/keystone.ts';
import type { Services } from '../clients/services.ts';

/** A step of a Keystone's reconciliation. */
export const step = stepFor<Keystone, Services>();

/** A step of its deletion. */
export const deletionStep = deletionStepFor<Keystone, Services>();
