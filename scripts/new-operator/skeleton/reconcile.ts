// SPDX-License-Identifier: Apache-2.0
import { stepController } from '@forge/runtime/engine/step-controller.ts';
import { fieldManager, metricPrefix } from './api/names.ts';
import { Specimen } from './api/specimen.ts';
import { config } from './steps/config.ts';
import type { Services } from './steps/step.ts';

/** What a Specimen consists of; which steps need which is declared by each. */
export const specimenSteps = [config];

/** Writes the text of every Specimen into a ConfigMap. */
export const specimenController = (services: Services) =>
  stepController({
    name: 'specimen-controller',
    for: Specimen,
    steps: specimenSteps,
    services,
    fieldManager,
    metricPrefix,
  });
