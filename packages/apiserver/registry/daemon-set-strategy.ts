// SPDX-License-Identifier: Apache-2.0
import type { DaemonSet } from '@forge/kube/kinds/builtin.ts';
import { jsonEqual } from '@forge/kube/objects/json.ts';
import type { Strategy } from '../resources/resource.ts';
import { validateDaemonSet } from '../validation/kinds/workload-rules.ts';
import { daemonSetWarnings } from '../warnings/template-warnings.ts';
import { defaultDaemonSet } from './defaults/default-workloads.ts';

/** Annotation that counts template changes; formerly a field of the spec. */
const templateGeneration = 'deprecated.daemonset.template.generation';

/** The strategy of daemon sets, with the template generation. */
export const daemonSetStrategy: Strategy<DaemonSet> = {
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
