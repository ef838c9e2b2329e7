// SPDX-License-Identifier: Apache-2.0
import type { PodStatus } from '@forge/kube/generated/types.ts';
import type { Pod } from '@forge/kube/kinds/builtin.ts';
import type { ContainerRecord } from './container-record.ts';
import type { PodPlan } from './pod-plan.ts';

/** What a pod's status is computed from. */
export interface PodFacts {
  pod: Pod;
  records: ReadonlyMap<string, ContainerRecord>;
  plan: PodPlan;
  /** The pod's address, once it has a network. */
  address?: string | undefined;
  /** The status that was reported last. */
  before?: PodStatus | undefined;
  /** What keeps the pod as a whole from running. */
  problem?: string | undefined;
  /** Why the pod was evicted, if it was. */
  evicted?: string | undefined;
  /** The time for what changed, as Kubernetes writes it. */
  now: string;
}

/** Where a pod is in its life. */
export type Phase = 'Pending' | 'Running' | 'Succeeded' | 'Failed';
