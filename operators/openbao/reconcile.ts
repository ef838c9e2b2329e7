// SPDX-License-Identifier: Apache-2.0
import { stepController } from '@forge/runtime/engine/step-controller.ts';
import { fieldManager, metricPrefix } from './api/names.ts';
import { OpenBaoCluster } from './api/openbao-cluster.ts';
import { config } from './steps/config.ts';
import { paused } from './steps/paused.ts';
import type { Services } from './steps/step.ts';

/** What an OpenBaoCluster consists of so far: its configuration. */
export const openbaoSteps = [config];

/** Writes the configuration of every OpenBaoCluster. */
export const openbaoController = (services: Services) =>
  stepController({
    name: 'openbaocluster-controller',
    for: OpenBaoCluster,
    guards: { afterFinalizers: paused },
    steps: openbaoSteps,
    services,
    ready: 'none',
    fieldManager,
    metricPrefix,
  });
