// SPDX-License-Identifier: Apache-2.0
import { deletionStepFor } from '@forge/runtime/steps/deletion-step.ts';
import { stepFor } from '@forge/runtime/steps/step.ts';
import type { OpenBaoCluster } from '../api/openbao-cluster.ts';
import type { Services } from '../clients/services.ts';

/** A step of an OpenBaoCluster's reconciliation. */
export const step = stepFor<OpenBaoCluster, Services>();

/** A step of its deletion. */
export const deletionStep = deletionStepFor<OpenBaoCluster, Services>();
