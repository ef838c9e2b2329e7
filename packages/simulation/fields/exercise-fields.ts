// SPDX-License-Identifier: Apache-2.0
import { crdOf } from '@forge/kube/kinds/crd.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { Schema } from '@forge/kube/schema/schema.ts';
import type { ConditionCatalog } from '@forge/runtime/conditions/condition-catalog.ts';
import { readinessOf } from '@forge/runtime/conditions/readiness.ts';
import { candidateValues } from './candidate-values.ts';
import type { LiveResource, Resource } from './live-resource.ts';
import { isWithin, placesOf, propertiesOf, withValue, type Property } from './schema-properties.ts';

/** How changes are judged. */
interface ExerciseOptions {
  /** The condition catalog of the kind. */
  conditions: ConditionCatalog;
  /**
   * Maximum number of writes after a change, to detect loops. Default: 150, more than a rollout with Jobs and a new
   * configuration needs.
   */
  maxWrites?: number;
}

/** What is wrong after a change of a property; undefined when nothing is. */
type Problem = string | undefined;

/** Changes of the fields of a kind, each exercised once even if several resources have it. */
export interface FieldExercise<T extends Resource> {
  /**
   * Sets every property of the resource that was not exercised yet to every candidate value and back; returns the
   * problems.
   */
  exercise: (live: LiveResource<T>) => Promise<string[]>;
  /** Paths in the schema for which no resource had a value, so that changes of an existing value are untested. */
  unchanged: () => string[];
  /** Paths in the schema whose changes, and those below them, neither changed another object nor were explained. */
  withoutEffect: () => string[];
}

/** What changes of the properties, by their places in the schema, have been seen to do. */
interface Seen {
  readonly exercised: Set<string>;
  readonly accepted: Set<string>;
  readonly effective: Set<string>;
}

/** An exercise of the fields in the kind's spec. */
export function fieldExercise<T extends Resource>(
  kind: Kind<T>,
  { maxWrites = 150, conditions }: ExerciseOptions,
): FieldExercise<T> {
  const schema: Schema = crdOf(kind).spec.versions[0]?.schema?.openAPIV3Schema?.properties?.['spec'] ?? {};
  const seen: Seen = { exercised: new Set(), accepted: new Set(), effective: new Set() };
  const limits = { maxWrites, conditions };
  return {
    async exercise(live) {
      const base = live.current().spec;
      const problems = problemsOf(live.current(), conditions);
      if (problems !== '') return [`is not ready at the start: ${problems}`];
      const wrong: string[] = [];
      for (const property of propertiesOf(schema, base, 'spec', [])) {
        const key = `${property.place} ${property.value === undefined ? 'added' : 'changed'}`;
        if (property.path.length === 0 || seen.exercised.has(key)) continue;
        seen.exercised.add(key);
        wrong.push(...(await exerciseProperty(live, base, property, { ...limits, seen })));
      }
      return wrong;
    },
    unchanged: () =>
      placesOf(schema, 'spec')
        .slice(1)
        .filter((place) => !seen.exercised.has(`${place} changed`)),
    withoutEffect: () => {
      const effective = [...seen.effective];
      return [...seen.accepted].filter((place) => !effective.some((each) => isWithin(each, place)));
    },
  };
}

async function exerciseProperty<T extends Resource>(
  live: LiveResource<T>,
  base: T['spec'],
  property: Property,
  { seen, ...limits }: Required<ExerciseOptions> & { seen: Seen },
): Promise<string[]> {
  const wrong: string[] = [];
  let isChanged = false;
  const note = (value: unknown, problem: Problem) => {
    if (problem !== undefined)
      wrong.push(`${property.place} = ${(JSON.stringify(value) as string | undefined)?.slice(0, 80)}: ${problem}`);
  };
  for (const value of candidateValues(property)) {
    const before = live.current().metadata.generation;
    live.changed();
    const rejection = await live.write(withValue(base, property.path, value));
    if (rejection !== undefined) {
      note(value, namesField(rejection, property) ? undefined : `the error does not name the field: ${rejection}`);
      continue;
    }
    note(value, await problemAtRest(live, limits));
    if (live.current().metadata.generation !== before) seen.accepted.add(property.place);
    isChanged = problemsOf(live.current(), limits.conditions) === '';
    if (live.changed().length > 0 || !isChanged) seen.effective.add(property.place);
    if (!isChanged) note(value, await problemAfterReset(live, base, limits));
  }
  if (isChanged) note('its value', await problemAfterReset(live, base, limits));
  return wrong;
}

async function problemAfterReset<T extends Resource>(
  live: LiveResource<T>,
  base: T['spec'],
  limits: Required<ExerciseOptions>,
): Promise<Problem> {
  const rejection = await live.write(base);
  if (rejection !== undefined) return `cannot be set back: ${rejection}`;
  const problem = await problemAtRest(live, limits);
  const problems = problemsOf(live.current(), limits.conditions);
  return problem ?? (problems === '' ? undefined : `does not recover: ${problems}`);
}

/** It must settle ready, or with a condition that explains why not; without an exception or a loop. */
async function problemAtRest<T extends Resource>(
  live: LiveResource<T>,
  { maxWrites, conditions: catalog }: Required<ExerciseOptions>,
): Promise<Problem> {
  const written = live.writes();
  await live.rest();
  const writes = live.writes() - written;
  const faults = live.faults();
  const { conditions = [] } = live.current().status ?? {};
  const { unmet } = readinessOf(catalog, conditions);
  // An aggregated Ready condition explains nothing.
  const specific = conditions.length === 1 ? unmet : unmet.filter(({ type }) => type !== 'Ready');
  const explained = specific.some(({ message }) => message !== '');
  const isReady = unmet.length === 0;
  if (writes > maxWrites) return `${writes} writes`;
  if (!isReady && !explained) return 'no condition explains why it is not ready';
  const unexpected = faults.find((fault) => isReady || /(?:Type|Range|Reference|Syntax|Assertion)Error/.test(fault));
  return unexpected && `a fault: ${unexpected}`;
}

/** The conditions that keep it from being ready. */
function problemsOf({ status }: Resource, catalog: ConditionCatalog): string {
  const { unmet } = readinessOf(catalog, status?.conditions);
  return unmet.map(({ type, reason, message }) => `${type} ${reason}: ${message}`).join('; ');
}

/** Whether the error names the field, possibly in the singular. */
function namesField(rejection: string, { place }: Property): boolean {
  const name =
    place
      .replaceAll(/\[\]|\{\}/g, '')
      .split('.')
      .at(-1) ?? '';
  return rejection.includes(name.replace(/s$/, ''));
}
