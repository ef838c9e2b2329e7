// SPDX-License-Identifier: Apache-2.0
import { casesOf } from '@forge/runtime/conditions/cases.ts';
import type { ConditionCatalog } from '@forge/runtime/conditions/condition-catalog.ts';
import { configReady } from './config.ts';

/** Everything that the operator reports about a Specimen. */
export const specimenConditions: ConditionCatalog = { conditions: casesOf([configReady]), events: [] };
