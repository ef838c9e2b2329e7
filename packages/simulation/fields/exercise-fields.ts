// SPDX-License-Identifier: Apache-2.0
import { crdOf } from '@forge/kube/kinds/crd.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { Schema } from '@forge/kube/schema/schema.ts';
import { candidateValues } from './candidate-values.ts';
import type { LiveResource, Resource } from './live-resource.ts';
import { placesOf, propertiesOf, withValue, type Property } from './schema-properties.ts';

/** How changes are judged. */
interface ExerciseOptions {
  /** Most writes that a change may take: far below a loop. Default: 150, above a rollout with Jobs and a new configuration. */
  maxWrites?: number;
}

/** What is wrong with how a change of a property ended; nothing when all is well. */
type Verdict = string | undefined;

/** Changes of the fields of a kind, each exercised once however many resources have it. */
export interface FieldExercise<T extends Resource> {
  /** Sets every property of the resource that was not exercised yet to every candidate and back; returns what went wrong. */
  exercise: (live: LiveResource<T>) => Promise<string[]>;
  /** Places in the schema that no resource had a value for, so that none was changed from a value that works. */
  unchanged: () => string[];
}

/** An exercise of the kind's spec, nothing exercised yet. */
export function fieldExercise<T extends Resource>(
  kind: Kind<T>,
  { maxWrites = 150 }: ExerciseOptions = {},
): FieldExercise<T> {
  const schema: Schema = crdOf(kind).spec.versions[0]?.schema?.openAPIV3Schema?.properties?.['spec'] ?? {};
  const exercised = new Set<string>();
  return {
    async exercise(live) {
      const base = live.current().spec;
      const problems = problemsOf(live.current());
      if (problems !== '') return [`is not ready to begin with: ${problems}`];
      const wrong: string[] = [];
      for (const property of propertiesOf(schema, base, 'spec', [])) {
        const key = `${property.place} ${property.value === undefined ? 'added' : 'changed'}`;
        if (property.path.length === 0 || exercised.has(key)) continue;
        exercised.add(key);
        wrong.push(...(await exerciseProperty(live, base, property, maxWrites)));
      }
      return wrong;
    },
    unchanged: () =>
      placesOf(schema, 'spec')
        .slice(1)
        .filter((place) => !exercised.has(`${place} changed`)),
  };
}

async function exerciseProperty<T extends Resource>(
  live: LiveResource<T>,
  base: T['spec'],
  property: Property,
  maxWrites: number,
): Promise<string[]> {
  const wrong: string[] = [];
  let isChanged = false;
  const note = (value: unknown, verdict: Verdict) => {
    if (verdict !== undefined)
      wrong.push(`${property.place} = ${(JSON.stringify(value) as string | undefined)?.slice(0, 80)}: ${verdict}`);
  };
  for (const value of candidateValues(property)) {
    const refusal = await live.write(withValue(base, property.path, value));
    if (refusal !== undefined) {
      note(value, namesField(refusal, property) ? undefined : `refused without its name: ${refusal}`);
      continue;
    }
    note(value, await restingVerdict(live, maxWrites));
    isChanged = problemsOf(live.current()) === '';
    if (!isChanged) note(value, await backVerdict(live, base, maxWrites));
  }
  if (isChanged) note('its value', await backVerdict(live, base, maxWrites));
  return wrong;
}

async function backVerdict<T extends Resource>(
  live: LiveResource<T>,
  base: T['spec'],
  maxWrites: number,
): Promise<Verdict> {
  const refusal = await live.write(base);
  if (refusal !== undefined) return `cannot be set back: ${refusal}`;
  const verdict = await restingVerdict(live, maxWrites);
  const problems = problemsOf(live.current());
  return verdict ?? (problems === '' ? undefined : `does not recover: ${problems}`);
}

/** Rests ready, or with a condition that says why; without a crash and without a loop. */
async function restingVerdict<T extends Resource>(live: LiveResource<T>, maxWrites: number): Promise<Verdict> {
  const written = live.writes();
  await live.rest();
  const writes = live.writes() - written;
  const faults = live.faults();
  const { conditions = [] } = live.current().status ?? {};
  // An aggregated Ready explains nothing.
  const telling = conditions.length === 1 ? conditions : conditions.filter(({ type }) => type !== 'Ready');
  const explained = telling.some(({ status, message }) => status !== 'True' && message !== '');
  const isReady = problemsOf(live.current()) === '';
  if (writes > maxWrites) return `${writes} writes`;
  if (!isReady && !explained) return 'no condition says why it is not ready';
  const unexpected = faults.find((fault) => isReady || /(?:Type|Range|Reference|Syntax|Assertion)Error/.test(fault));
  return unexpected && `a fault: ${unexpected}`;
}

/** The conditions that are not True. */
function problemsOf({ status }: Resource): string {
  const conditions = status?.conditions ?? [];
  if (!conditions.some(({ type }) => type === 'Ready')) return 'no condition Ready';
  return conditions
    .filter((condition) => condition.status !== 'True')
    .map(({ type, reason, message }) => `${type} ${reason}: ${message}`)
    .join('; ');
}

/** Whether the refusal names the field, perhaps in the singular. */
function namesField(refusal: string, { place }: Property): boolean {
  const name =
    place
      .replaceAll(/\[\]|\{\}/g, '')
      .split('.')
      .at(-1) ?? '';
  return refusal.includes(name.replace(/s$/, ''));
}
