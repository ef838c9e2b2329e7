// SPDX-License-Identifier: Apache-2.0
import type { CustomResourceDefinition } from '@forge/kube/kinds/builtin.ts';
import type { Strategy } from '../../resources/resource.ts';
import { validateDefinition } from '../../validation/kinds/definitions.ts';
import { definitionWarnings } from '../../warnings/definitions.ts';
import {
  prepareDefinition,
  defaultDefinition,
  terminatingDefinition,
  recordStoredVersion,
} from '../defaults/definitions.ts';
import { strategy } from './strategy.ts';

/** By kind. */
export const definitionStrategies: Readonly<Record<string, Strategy>> = {
  CustomResourceDefinition: strategy<CustomResourceDefinition>({
    default: defaultDefinition,
    prepareForCreate: prepareDefinition,
    prepareForUpdate: recordStoredVersion,
    prepareForDelete: terminatingDefinition,
    omitsDeletionDetails: true,
    validate: validateDefinition,
    warnings: definitionWarnings,
    requiresVersionOnUpdate: true,
    generation: true,
  }),
};
