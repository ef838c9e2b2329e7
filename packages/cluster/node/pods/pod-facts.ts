// SPDX-License-Identifier: Apache-2.0
import type { PodStatus } from '@forge/kube/generated/types.ts';
import type { Pod } from '@forge/kube/kinds/builtin.ts';
import type { ContainerRecord } from './container-record.ts';
import type { PodPlan } from './pod-plan.ts';

/** The inputs of a pod's status. */
export interface PodFacts {
  pod: Pod;
  records: ReadonlyMap<string, ContainerRecord>;
  plan: PodPlan;
  /** The pod IP, once it has a network. */
  address?: string | undefined;
  /** The last reported status. */
  before?: PodStatus | undefined;
  /** What prevents the whole pod from running. */
  problem?: string | undefined;
  /** The reason for eviction, if evicted. */
  evicted?: string | undefined;
  /** The current time, in the format of Kubernetes. */
  now: string;
}

/** The phase of a pod. */
export type Phase = 'Pending' | 'Running' | 'Succeeded' | 'Failed';
