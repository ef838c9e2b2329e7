// SPDX-License-Identifier: Apache-2.0
import { Pod, type PriorityClass } from '@forge/kube/builtin.ts';
import type { PodSpec, Toleration } from '@forge/kube/generated/types.ts';
import { forbidden } from '../refusal.ts';
import type { Store } from '../storage/store.ts';
import type { WriteStep } from './write.ts';

/** Gives a new pod the account it runs as, its priority, and five minutes on a node that is lost. */
export const podPlacement: WriteStep = ({ resource, object, before }, { store }) => {
  const { metadata, spec }: Pick<Pod, 'metadata' | 'spec'> = object;
  if (resource.name !== 'pods' || before !== undefined || spec === undefined) return object;
  const { serviceAccountName = 'default' } = spec;
  const placed: PodSpec = {
    ...spec,
    serviceAccountName,
    serviceAccount: serviceAccountName,
    ...priorityOf(store, metadata.name, spec),
    tolerations: [...(spec.tolerations ?? []), ...lostNodeTolerations(spec.tolerations ?? [])],
  };
  return { ...object, spec: placed } as Pod;
};

function priorityOf(store: Store, pod: string, spec: PodSpec): Partial<PodSpec> {
  const classes = [...store.current.objects.withPrefix('priorityclasses.scheduling.k8s.io/')].map(
    ({ value }) => value as PriorityClass,
  );
  const { priorityClassName: name = '' } = spec;
  const chosen = classes.find(({ metadata, globalDefault }) =>
    name === '' ? globalDefault === true : metadata.name === name,
  );
  if (name !== '' && chosen === undefined) throw forbidden(Pod, pod, `no PriorityClass with name ${name} was found`);
  const { value: priority = 0, preemptionPolicy = 'PreemptLowerPriority' } = chosen ?? {};
  if (spec.priority !== undefined && spec.priority !== priority) {
    throw forbidden(Pod, pod, computed(`integer value of priority (${spec.priority})`, priority));
  }
  if (spec.preemptionPolicy !== undefined && spec.preemptionPolicy !== preemptionPolicy) {
    throw forbidden(
      Pod,
      pod,
      computed(`string value of PreemptionPolicy (${spec.preemptionPolicy})`, preemptionPolicy),
    );
  }
  return { priority, preemptionPolicy, ...(chosen !== undefined && { priorityClassName: chosen.metadata.name }) };
}

function computed(what: string, value: number | string): string {
  return `the ${what} must not be provided in pod spec; priority admission controller computed ${value} from the given PriorityClass name`;
}

function lostNodeTolerations(tolerations: readonly Toleration[]): Toleration[] {
  return ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable']
    .filter(
      (key) => !tolerations.some((each) => (each.key ?? key) === key && (each.effect ?? 'NoExecute') === 'NoExecute'),
    )
    .map((key) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 }));
}
