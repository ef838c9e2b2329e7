// SPDX-License-Identifier: Apache-2.0
import { stepController } from '@forge/runtime/engine/step-controller.ts';
import { fieldManager, metricPrefix, stepMetricPrefix } from './api/names.ts';
import { OpenBaoCluster } from './api/openbao-cluster.ts';
import type { Services } from './clients/services.ts';
import { access } from './steps/access.ts';
import { backup } from './steps/backup/backup.ts';
import { certificates } from './steps/certificates.ts';
import { config } from './steps/config.ts';
import { deletion } from './steps/deletion.ts';
import { infrastructure } from './steps/infrastructure.ts';
import { init } from './steps/init.ts';
import { network } from './steps/network.ts';
import { paused } from './steps/paused.ts';
import { summary } from './steps/summary.ts';
import { target } from './steps/target.ts';
import { unsealKey } from './steps/unseal-key.ts';
import { versions } from './steps/versions.ts';

/** The steps of an OpenBaoCluster. Of the steps that share a condition, the first one that is not as it should be gives its text. */
export const openbaoSteps = [
  certificates,
  access,
  unsealKey,
  config,
  network,
  target,
  infrastructure,
  init,
  versions,
  backup,
];

/** Reconciles every OpenBaoCluster until its servers are initialised, unsealed and reachable. */
export const openbaoController = (services: Services) =>
  stepController({
    name: 'openbaocluster-controller',
    for: OpenBaoCluster,
    guards: { afterFinalizers: paused },
    steps: openbaoSteps,
    summary,
    deletion: [deletion],
    services,
    ready: 'none',
    fieldManager,
    metricPrefix: stepMetricPrefix,
    resourceMetricPrefix: metricPrefix,
  });
