// SPDX-License-Identifier: Apache-2.0
import { casesOf } from '@forge/runtime/conditions/cases.ts';
import type { ConditionCatalog } from '@forge/runtime/conditions/condition-catalog.ts';
import { available } from './available.ts';

/** All that the operator says about an OpenBaoCluster. */
export const openbaoConditions: ConditionCatalog = { conditions: casesOf([available]), events: [], ready: 'none' };
