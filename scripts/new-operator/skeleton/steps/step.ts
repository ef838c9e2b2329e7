// SPDX-License-Identifier: Apache-2.0
import { stepFor, type Services as OutsideServices } from '@forge/runtime/steps/step.ts';
import type { Specimen } from '../api/specimen.ts';

/** What the steps need from outside the cluster: nothing yet. */
export type Services = OutsideServices;

/** A step of a Specimen's reconciliation. */
export const step = stepFor<Specimen, Services>();
