// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ApiServer } from '@forge/apiserver/api-server.ts';
import { crdOf } from '@forge/kube/kinds/crd.ts';
import { Keystone } from '../keystone.ts';
import { candidateValues } from './fields/candidate-values.ts';
import { completeKeystones } from './fields/complete-keystones.ts';
import { clusterForKeystones, liveKeystone, type LiveKeystone } from './fields/live-keystone.ts';
import { placesOf, propertiesOf, withValue, type Property } from './fields/schema-properties.ts';

/** Above what a rollout with Jobs and a new configuration takes, and far below a loop. */
const maxWrites = 150;

/** No Keystone with these works, so that nothing below them can be changed. */
const neverWork = ['spec.topologySpreadConstraints[].labelSelector.matchExpressions', 'spec.resources.claims'];

const schema = crdOf(Keystone).spec.versions[0]?.schema?.openAPIV3Schema?.properties?.['spec'] ?? {};

/** What is wrong with how a change of a property ended; nothing when all is well. */
type Verdict = string | undefined;

describe('every field of a live Keystone', () => {
  let from: ApiServer;
  const exercised = new Set<string>();

  before(async () => {
    from = await clusterForKeystones();
  });

  after(() => from.close());

  for (const [mode, keystone] of Object.entries(completeKeystones)) {
    test(`can be changed, removed and set beyond its bounds, and set back: ${mode}`, async () => {
      await using live = await liveKeystone(from, keystone);
      const base = live.current().spec;
      assert.equal(problemsOf(live.current()), '');
      const wrong: string[] = [];
      for (const property of propertiesOf(schema, base, 'spec', [])) {
        const key = `${property.place} ${property.value === undefined ? 'added' : 'changed'}`;
        if (property.path.length === 0 || exercised.has(key)) continue;
        exercised.add(key);
        wrong.push(...(await exercise(live, base, property)));
      }
      assert.deepEqual(wrong, []);
    });
  }

  test('was changed from a value that works', () => {
    const missing = placesOf(schema, 'spec')
      .slice(1)
      .filter((place) => !exercised.has(`${place} changed`));
    const unexpected = missing.filter((place) => !neverWork.some((whole) => place.startsWith(whole)));
    assert.deepEqual(unexpected, [], 'add them to test/fields/complete-keystones.ts');
  });
});

/** Sets the property to every candidate and back; what went wrong. */
async function exercise(live: LiveKeystone, base: Keystone['spec'], property: Property): Promise<string[]> {
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
    note(value, await restingVerdict(live));
    isChanged = problemsOf(live.current()) === '';
    if (!isChanged) note(value, await backVerdict(live, base));
  }
  if (isChanged) note('its value', await backVerdict(live, base));
  return wrong;
}

async function backVerdict(live: LiveKeystone, base: Keystone['spec']): Promise<Verdict> {
  const refusal = await live.write(base);
  if (refusal !== undefined) return `cannot be set back: ${refusal}`;
  const verdict = await restingVerdict(live);
  const problems = problemsOf(live.current());
  return verdict ?? (problems === '' ? undefined : `does not recover: ${problems}`);
}

/** Rests ready, or with a condition that says why; without a crash and without a loop. */
async function restingVerdict(live: LiveKeystone): Promise<Verdict> {
  const written = live.writes();
  await live.rest();
  const writes = live.writes() - written;
  const faults = live.faults();
  const { status } = live.current();
  const explained = (status?.conditions ?? []).some(
    (condition) => condition.type !== 'Ready' && condition.status !== 'True' && condition.message !== '',
  );
  const isReady = problemsOf(live.current()) === '';
  if (writes > maxWrites) return `${writes} writes`;
  if (!isReady && !explained) return 'no condition says why it is not ready';
  const unexpected = faults.find((fault) => isReady || /(?:Type|Range|Reference|Syntax|Assertion)Error/.test(fault));
  return unexpected && `a fault: ${unexpected}`;
}

/** The conditions that are not True. */
function problemsOf({ status }: Keystone): string {
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
