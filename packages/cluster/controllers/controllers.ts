// SPDX-License-Identifier: Apache-2.0
import type { Controller } from '@forge/runtime/controller/controller.ts';
import { autoscalerController } from './autoscaler/autoscaler.ts';
import { cronJobController } from './cron-job/cron-job.ts';
import { deploymentController } from './deployment/deployment.ts';
import { disruptionController } from './disruption/disruption.ts';
import { endpointSliceController } from './endpoints/endpoint-slice.ts';
import { endpointsController } from './endpoints/endpoints.ts';
import { jobController } from './job/job.ts';
import { nodeHealthController } from './nodes/node-health.ts';
import { nodeTaintController } from './nodes/node-taints.ts';
import { replicaSetController } from './replica-set/replica-set.ts';
import { scheduler } from './scheduler/scheduler.ts';
import { statefulSetController } from './stateful-set/stateful-set.ts';
import { unservedDaemonSets, unservedIngresses, unservedLoadBalancers } from './unserved.ts';
import { volumeBinder } from './volumes/volume-binder.ts';
import { claimProtection, volumeProtection } from './volumes/volume-protection.ts';

/** All controllers of a cluster, without those of its nodes. */
export function workloadControllers(): Controller[] {
  return [
    deploymentController,
    replicaSetController,
    statefulSetController,
    jobController,
    cronJobController(),
    disruptionController,
    autoscalerController,
    endpointSliceController,
    endpointsController,
    unservedDaemonSets,
    unservedIngresses,
    unservedLoadBalancers,
    scheduler,
    volumeBinder,
    claimProtection,
    volumeProtection,
    nodeHealthController,
    nodeTaintController,
  ];
}
