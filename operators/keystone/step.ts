// SPDX-License-Identifier: Apache-2.0
import { stepFor, type Services as OutsideServices } from '@forge/runtime/steps/step.ts';
import type { KeystoneApi } from './clients/keystone-api.ts';
import type { Keystone } from './keystone.ts';

/** What the steps need from outside the cluster. */
export type Services = OutsideServices<{ keystoneApi: KeystoneApi }>;

/** A step of a Keystone's reconciliation. */
export const step = stepFor<Keystone, Services>();
