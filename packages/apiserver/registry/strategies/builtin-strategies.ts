// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { Strategy } from '../../resources/resource.ts';
import { accessStrategies } from './access.ts';
import { admissionStrategies } from './admission.ts';
import { autoscalingStrategies } from './autoscaling.ts';
import { batchStrategies } from './batch.ts';
import { certificateStrategies } from './certificates.ts';
import { clusterStrategies } from './cluster.ts';
import { configStrategies } from './config.ts';
import { csiStrategies } from './csi.ts';
import { definitionStrategies } from './definitions.ts';
import { deviceStrategies } from './devices.ts';
import { endpointStrategies } from './endpoints.ts';
import { eventStrategies } from './events.ts';
import { podStrategies } from './pods.ts';
import { policyStrategies } from './policy.ts';
import { quotaStrategies } from './quotas.ts';
import { serviceStrategies } from './services.ts';
import { storageStrategies } from './storage.ts';
import { workloadStrategies } from './workloads.ts';

/** The strategy of a built-in kind. */
export function strategyOf({ apiVersion, kind }: Kind): Strategy {
  return builtinStrategies[`${apiVersion}/${kind}`] ?? builtinStrategies[kind] ?? {};
}

/** By kind; with the apiVersion when another group has the same kind. */
const builtinStrategies: Readonly<Record<string, Strategy>> = {
  ...accessStrategies,
  ...admissionStrategies,
  ...autoscalingStrategies,
  ...batchStrategies,
  ...certificateStrategies,
  ...clusterStrategies,
  ...configStrategies,
  ...csiStrategies,
  ...definitionStrategies,
  ...deviceStrategies,
  ...endpointStrategies,
  ...eventStrategies,
  ...podStrategies,
  ...policyStrategies,
  ...quotaStrategies,
  ...serviceStrategies,
  ...storageStrategies,
  ...workloadStrategies,
};
