// SPDX-License-Identifier: Apache-2.0
import type { Controller } from '@forge/runtime/controller/controller.ts';
import { deploymentController } from './deployment.ts';
import { endpointSliceController } from './endpoint-slice.ts';
import { jobController } from './job.ts';
import { nodeHealthController } from './node-health.ts';
import { nodeTaintController } from './node-taints.ts';
import { replicaSetController } from './replica-set.ts';
import { scheduler } from './scheduler.ts';
import { volumeBinder } from './volume-binder.ts';
import { claimProtection, volumeProtection } from './volume-protection.ts';

/** Everything that makes an API server a cluster, short of the nodes. */
export function workloadControllers(): Controller[] {
  return [
    deploymentController,
    replicaSetController,
    jobController,
    endpointSliceController,
    scheduler,
    volumeBinder,
    claimProtection,
    volumeProtection,
    nodeHealthController,
    nodeTaintController,
  ];
}
