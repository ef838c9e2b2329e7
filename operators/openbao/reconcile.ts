// SPDX-License-Identifier: Apache-2.0
import { stepController } from '@forge/runtime/engine/step-controller.ts';
import { fieldManager, metricPrefix, stepMetricPrefix } from './api/names.ts';
import { OpenBaoCluster } from './api/openbao-cluster.ts';
import type { Services } from './clients/services.ts';
import { access } from './steps/access.ts';
import { backup } from './steps/backup/backup.ts';
import { certificates } from './steps/certificates.ts';
import { infrastructure } from './steps/cluster/infrastructure.ts';
import { init } from './steps/cluster/init.ts';
import { membership } from './steps/cluster/membership.ts';
import { summary } from './steps/cluster/summary.ts';
import { versions } from './steps/cluster/versions.ts';
import { config } from './steps/config.ts';
import { deletion } from './steps/deletion.ts';
import { network } from './steps/network.ts';
import { paused } from './steps/paused.ts';
import { target } from './steps/target.ts';
import { unsealKey } from './steps/unseal-key.ts';
import { upgrade } from './steps/upgrade/upgrade.ts';

/** The steps of an OpenBaoCluster. Of the steps that share a condition, the first one that is not as it should be gives its text. */
export const openbaoSteps = [
  certificates,
  access,
  unsealKey,
  config,
  network,
  target,
  upgrade,
  membership,
  infrastructure,
  init,
  versions,
  backup,
];

/** What a pass over an OpenBaoCluster consists of; a plan plays the same. */
export const openbaoOptions = (services: Services) =>
  ({
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
  }) as const;

/** Reconciles every OpenBaoCluster until its servers are initialised, unsealed and reachable. */
export const openbaoController = (services: Services) => stepController(openbaoOptions(services));
