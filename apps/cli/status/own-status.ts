// SPDX-License-Identifier: Apache-2.0
import { ControlPlane } from '@forge/controlplane/control-plane.ts';
import { controlPlaneSteps } from '@forge/controlplane/reconcile.ts';
import { Keystone } from '@forge/keystone/keystone.ts';
import { keystoneSteps } from '@forge/keystone/reconcile.ts';
import type { OwnResource } from '../up/demo.ts';
import { stepConditions, type ConditionStatus, type StepNode } from './condition-status.ts';

/** A ControlPlane or Keystone, or a resource of another operator that they use. */
export interface ResourceStatus {
  kind: string;
  namespace: string;
  name: string;
  ready: string;
  message: string;
  conditions: readonly ConditionStatus[];
}

const stepsByKind: Readonly<Record<string, readonly StepNode[]>> = {
  [ControlPlane.kind]: controlPlaneSteps,
  [Keystone.kind]: keystoneSteps,
};

/** The state of a resource of one of our operators, in the order of its steps. */
export function ownStatus({ kind, metadata, status }: OwnResource): ResourceStatus {
  const reported = status?.conditions ?? [];
  const ready = reported.find(({ type }) => type === 'Ready');
  const { namespace = '', name } = metadata;
  return {
    kind,
    namespace,
    name,
    ready: ready?.status ?? 'Unknown',
    message: ready?.message ?? '',
    conditions: stepConditions(stepsByKind[kind] ?? [], reported),
  };
}
