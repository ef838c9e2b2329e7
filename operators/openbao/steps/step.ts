// SPDX-License-Identifier: Apache-2.0
import { stepFor, type Services as OutsideServices } from '@forge/runtime/steps/step.ts';
import type { OpenBaoCluster } from '../api/openbao-cluster.ts';

/** What the steps need from outside the cluster: nothing yet. */
export type Services = OutsideServices;

/** A step of an OpenBaoCluster's reconciliation. */
export const step = stepFor<OpenBaoCluster, Services>();
