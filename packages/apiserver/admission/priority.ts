// SPDX-License-Identifier: Apache-2.0
import type { PodSpec } from '@forge/kube/generated/types.ts';
import type { Pod, PriorityClass } from '@forge/kube/kinds/builtin.ts';
import type { Write, WriteStep } from '../request/write.ts';
import type { Store } from '../storage/store.ts';
import { admissionDenied } from './admission-denied.ts';

/** Sets the priority of a new pod from its class; updates keep it. */
export const podPriority: WriteStep = (write, { store }) => {
  const { resource, subresource, object, before } = write;
  const { spec } = object as Pod;
  if (resource.name !== 'pods' || subresource !== undefined || spec === undefined) return object;
  const priority = before === undefined ? priorityOf(write, spec, store) : unchangedPriority(spec, before as Pod);
  return { ...object, spec: { ...spec, ...priority } } as Pod;
};

/** Rejects a second global default PriorityClass. */
export const singleDefaultPriority: WriteStep = (write, { store }) => {
  const { resource, object, before } = write;
  const { metadata, globalDefault } = object as PriorityClass;
  if (resource.name !== 'priorityclasses.scheduling.k8s.io' || globalDefault !== true) return object;
  const current = defaultClass(store)?.metadata.name;
  if (current === undefined || (before !== undefined && current === metadata.name)) return object;
  throw admissionDenied(write, `PriorityClass ${current} is already marked as default. Only one default can exist`);
};

function priorityOf(write: Write, spec: PodSpec, store: Store): Partial<PodSpec> {
  const { priorityClassName: name = '' } = spec;
  const chosen = name === '' ? defaultClass(store) : classes(store).find(({ metadata }) => metadata.name === name);
  if (name !== '' && chosen === undefined) throw admissionDenied(write, `no PriorityClass with name ${name} was found`);
  const { value: priority = 0, preemptionPolicy = 'PreemptLowerPriority' } = chosen ?? {};
  if (spec.priority !== undefined && spec.priority !== priority) {
    throw admissionDenied(write, computed(`integer value of priority (${spec.priority})`, priority));
  }
  if (spec.preemptionPolicy !== undefined && spec.preemptionPolicy !== preemptionPolicy) {
    const given = `string value of PreemptionPolicy (${spec.preemptionPolicy})`;
    throw admissionDenied(write, computed(given, preemptionPolicy));
  }
  return { priority, preemptionPolicy, ...(chosen !== undefined && { priorityClassName: chosen.metadata.name }) };
}

function computed(what: string, value: number | string): string {
  return `the ${what} must not be provided in pod spec; priority admission controller computed ${value} from the given PriorityClass name`;
}

/** They may be omitted, but not changed. */
function unchangedPriority(spec: PodSpec, { spec: before }: Pod): Partial<PodSpec> {
  const { priority = before?.priority, preemptionPolicy = before?.preemptionPolicy } = spec;
  return { ...(priority !== undefined && { priority }), ...(preemptionPolicy !== undefined && { preemptionPolicy }) };
}

/** With several defaults, the lowest wins. */
function defaultClass(store: Store): PriorityClass | undefined {
  const [lowest] = classes(store)
    .filter(({ globalDefault }) => globalDefault === true)
    .toSorted((a, b) => (a.value ?? 0) - (b.value ?? 0));
  return lowest;
}

function classes(store: Store): PriorityClass[] {
  const stored = store.current.objects.withPrefix('priorityclasses.scheduling.k8s.io/');
  return Array.from(stored, ({ value }) => value as PriorityClass);
}
