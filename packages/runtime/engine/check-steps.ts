// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { ReadyTexts } from '../conditions/condition-catalog.ts';
import type { DeletionStep } from '../steps/deletion-step.ts';
import { isSameKind } from '../steps/owned.ts';
import { conditionsOf, type Services, type StepCondition, type Step, type StepResource } from '../steps/step.ts';
import type { Guards } from './pass.ts';

/** All steps of a controller. */
interface Checked<T extends StepResource, S extends Services> {
  readonly steps: readonly Step<T, S>[];
  readonly deletion: readonly DeletionStep<T, S>[];
  readonly guards: Guards<T, S>;
  readonly summary: Step<T, S> | undefined;
  readonly ready: ReadyTexts;
}

/** Throws when the steps do not form a valid list: a programming error, found at start. */
export function checkSteps<T extends StepResource, S extends Services>(
  kind: Kind<T>,
  { steps, deletion, guards, summary, ready }: Checked<T, S>,
): void {
  const guardSteps = [guards.beforeFinalizers, guards.afterFinalizers].filter((guard) => guard !== undefined);
  const conditionSteps: Step<T, S>[] = [...steps, ...(summary === undefined ? [] : [summary]), ...deletion];
  const all = [...guardSteps, ...conditionSteps];
  const names = all.map(({ name }) => name);
  const duplicate = names.find((name, index) => names.indexOf(name) < index);
  if (duplicate !== undefined) throw new Error(`two steps of ${kind.kind} are named ${duplicate}`);
  for (const { name, finalizer } of deletion) {
    const other = deletion.find((step) => step.finalizer === finalizer);
    if (other?.name !== name) throw new Error(`steps ${other?.name} and ${name} share the finalizer ${finalizer}`);
  }
  for (const guard of guardSteps) {
    if (Object.keys(guard.needs).length > 0)
      throw new Error(`guard ${guard.name} needs a step, but guards run before all steps`);
  }
  for (const step of all) checkOwnership(kind, step);
  for (const step of all) checkSelectors(step);
  for (const step of all) checkReads(step);
  for (const step of steps) checkNeeds(step, steps);
  for (const step of deletion) checkNeeds(step, deletion);
  checkConditions(conditionSteps, ready);
  if (ready === 'none') checkConditions(guardSteps, ready);
  const checked = new Set<Step<T, S>>();
  for (const step of [...steps, ...deletion]) checkAcyclic(step, [], checked);
}

function checkNeeds<T extends StepResource, S extends Services>(step: Step<T, S>, steps: readonly Step<T, S>[]): void {
  for (const need of [...Object.values(step.needs), ...step.after]) {
    if (!steps.includes(need)) throw new Error(`step ${step.name} needs ${need.name}, which is not in the list`);
  }
}

function checkOwnership<T extends StepResource, S extends Services>(kind: Kind<T>, { name, owns }: Step<T, S>): void {
  for (const { kind: owned } of owns) {
    if (kind.scope === 'Namespaced' && owned.scope === 'Cluster') {
      throw new Error(
        `step ${name} owns ${owned.kind}, but the namespaced ${kind.kind} cannot own a cluster-scoped object`,
      );
    }
  }
}

/** A step has one view of what it owns. */
function checkSelectors<T extends StepResource, S extends Services>({ name, owns }: Step<T, S>): void {
  for (const { kind, selector } of owns) {
    const other = owns.find((each) => isSameKind(each.kind, kind));
    if (other?.selector?.text === selector?.text) continue;
    throw new Error(`step ${name} owns ${kind.kind} with different selectors: use one for all, or several steps`);
  }
}

function checkReads<T extends StepResource, S extends Services>({ name, reads }: Step<T, S>): void {
  for (const { kind, watched } of reads) {
    if (kind.scope !== 'Cluster' || watched.namespace === undefined) continue;
    throw new Error(`step ${name} reads ${kind.kind} in ${watched.namespace}, but it is cluster-scoped`);
  }
}

function checkConditions<T extends StepResource, S extends Services>(
  steps: readonly Step<T, S>[],
  ready: ReadyTexts,
): void {
  const declared = new Map<string, StepCondition>();
  for (const step of steps) {
    for (const condition of conditionsOf(step)) {
      const { type, desired, countsForReady } = condition;
      if (type === 'Ready' && ready !== 'byStep') {
        throw new Error(
          ready === 'none'
            ? `step ${step.name} sets Ready, but the controller's ready is 'none'`
            : `step ${step.name} sets Ready, which is aggregated unless the controller's ready is 'byStep'`,
        );
      }
      const other = declared.get(type) ?? condition;
      if (other.desired !== desired) throw new Error(`the steps of ${type} disagree whether it is inverse`);
      if (other.countsForReady !== countsForReady)
        throw new Error(`the steps of ${type} disagree whether it is informational`);
      declared.set(type, condition);
    }
  }
}

function checkAcyclic<T extends StepResource, S extends Services>(
  step: Step<T, S>,
  path: readonly Step<T, S>[],
  checked: Set<Step<T, S>>,
): void {
  const trail = [...path, step];
  if (path.includes(step)) throw new Error(`steps need each other: ${trail.map(({ name }) => name).join(' → ')}`);
  // There are many more paths to a step than steps.
  if (checked.has(step)) return;
  for (const need of [...Object.values(step.needs), ...step.after]) checkAcyclic(need, trail, checked);
  checked.add(step);
}
