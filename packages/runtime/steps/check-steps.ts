// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kind.ts';
import type { Step, StepResource } from './step.ts';

/** Throws when the steps cannot be a list: that is a mistake in the program, found before it does any harm. */
export function checkSteps<T extends StepResource, S>(kind: Kind<T>, steps: readonly Step<T, S>[]): void {
  const names = new Map<string, Step<T, S>>();
  const writers = new Map<string, string>();
  const informational = new Map<string, boolean>();
  const finalizers = new Map<string, string>();

  for (const step of steps) {
    const { name, condition, finalizer } = step;
    if (names.has(name)) throw new Error(`two steps of ${kind.kind} are called ${name}`);
    names.set(name, step);

    for (const need of Object.values(step.needs)) {
      if (!steps.includes(need)) throw new Error(`step ${name} needs ${need.name}, which is not in the list`);
      if (need.finalizer !== undefined) {
        throw new Error(`step ${name} needs ${need.name}, which runs only when a ${kind.kind} goes`);
      }
    }
    for (const field of step.writes) {
      const other = writers.get(field);
      if (other !== undefined) throw new Error(`steps ${other} and ${name} both write status.${field}`);
      writers.set(field, name);
    }
    for (const { kind: owned } of step.owns) {
      if (kind.scope === 'Namespaced' && owned.scope === 'Cluster') {
        throw new Error(`step ${name} owns ${owned.kind}, but a ${kind.kind} cannot own what has no namespace`);
      }
    }
    if (finalizer !== undefined) {
      const other = finalizers.get(finalizer);
      if (other !== undefined) throw new Error(`steps ${other} and ${name} share the finalizer ${finalizer}`);
      finalizers.set(finalizer, name);
    }
    if (condition?.type === 'Ready') throw new Error(`step ${name} speaks for Ready, which only sums up`);
    if (condition !== undefined) {
      if ((informational.get(condition.type) ?? condition.informational) !== condition.informational) {
        throw new Error(`the steps of ${condition.type} disagree whether it is informational`);
      }
      informational.set(condition.type, condition.informational);
    }
  }
  const checked = new Set<Step<T, S>>();
  for (const step of steps) checkAcyclic(step, [], checked);
}

function checkAcyclic<T extends StepResource, S>(
  step: Step<T, S>,
  path: readonly Step<T, S>[],
  checked: Set<Step<T, S>>,
): void {
  const trail = [...path, step];
  if (path.includes(step)) throw new Error(`steps need each other: ${trail.map(({ name }) => name).join(' → ')}`);
  // There are many more ways to a step than steps.
  if (checked.has(step)) return;
  for (const need of Object.values(step.needs)) checkAcyclic(need, trail, checked);
  checked.add(step);
}
