// SPDX-License-Identifier: Apache-2.0
import type {
  DaemonSet,
  ControllerRevision,
  Deployment,
  ReplicaSet,
  ReplicationController,
  StatefulSet,
} from '@forge/kube/kinds/builtin.ts';
import { jsonEqual } from '@forge/kube/objects/json.ts';
import type { Strategy } from '../../resources/resource.ts';
import {
  validateDaemonSet,
  validateControllerRevision,
  validateDeployment,
  validateReplicaSet,
  validateReplicationController,
  validateStatefulSet,
} from '../../validation/kinds/workloads.ts';
import { daemonSetWarnings, statefulSetWarnings, workloadWarnings } from '../../warnings/workloads.ts';
import {
  defaultDaemonSet,
  defaultDeployment,
  defaultReplicaSet,
  defaultReplicationController,
  defaultStatefulSet,
} from '../defaults/workloads.ts';
import { strategy } from './strategy.ts';

/** Annotation that counts template changes; formerly a field of the spec. */
const templateGeneration = 'deprecated.daemonset.template.generation';

/** The strategy of daemon sets, with the template generation. */
const daemonSetStrategy: Strategy<DaemonSet> = {
  default: (object) => withGeneration(defaultDaemonSet(object), generationOf(object)),
  prepareForCreate: (object) => ({
    ...withGeneration(object, Math.max(1, generationOf(object))),
    status: { currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0 },
  }),
  prepareForUpdate(object, before) {
    const isSame = jsonEqual(object.spec?.template, before.spec?.template);
    return withGeneration(object, generationOf(before) + (isSame ? 0 : 1));
  },
  validate: validateDaemonSet,
  warnings: daemonSetWarnings,
  generation: true,
};

function generationOf({ metadata }: DaemonSet): number {
  return Number(metadata.annotations?.[templateGeneration] ?? 0);
}

function withGeneration(object: DaemonSet, generation: number): DaemonSet {
  const { metadata } = object;
  const text = String(generation);
  if (metadata.annotations?.[templateGeneration] === text) return object;
  return { ...object, metadata: { ...metadata, annotations: { ...metadata.annotations, [templateGeneration]: text } } };
}

/** By kind. */
export const workloadStrategies: Readonly<Record<string, Strategy>> = {
  ControllerRevision: strategy<ControllerRevision>({ validate: validateControllerRevision }),
  DaemonSet: strategy(daemonSetStrategy),
  Deployment: strategy<Deployment>({
    default: defaultDeployment,
    prepareForCreate: (object) => ({ ...object, status: {} }),
    validate: validateDeployment,
    warnings: workloadWarnings,
    metadataKeptOnStatusUpdate: ['labels'],
    generation: true,
  }),
  ReplicaSet: strategy<ReplicaSet>({
    default: defaultReplicaSet,
    prepareForCreate: (object) => ({ ...object, status: { replicas: 0 } }),
    validate: validateReplicaSet,
    warnings: workloadWarnings,
    selectableFields: ['status.replicas'],
    generation: true,
  }),
  ReplicationController: strategy<ReplicationController>({
    default: defaultReplicationController,
    prepareForCreate: (object) => ({ ...object, status: { replicas: 0 } }),
    validate: validateReplicationController,
    warnings: workloadWarnings,
    selectableFields: ['status.replicas'],
    generation: true,
    orphansByDefault: true,
  }),
  StatefulSet: strategy<StatefulSet>({
    default: defaultStatefulSet,
    prepareForCreate: (object) => ({ ...object, status: { replicas: 0, availableReplicas: 0 } }),
    validate: validateStatefulSet,
    warnings: statefulSetWarnings,
    generation: true,
  }),
};
