// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { builtinKinds } from '@forge/kube/kinds/builtin.ts';
import { areas } from './areas.ts';
import { namespaceOf } from './conversation/converse.ts';
import { mismatch } from './mismatch.ts';
import { minimalObjects } from './objects/minimal-objects.ts';
import { readRecording } from './recording.ts';
import { unsupported } from './unsupported.ts';

const cases = Object.values(areas).flat();

describe('the embedded server responds like Kubernetes', () => {
  for (const [area, areaCases] of Object.entries(areas)) {
    describe(area, () => {
      for (const testCase of areaCases) {
        test(testCase.name, async () => {
          const recording = await readRecording(area);
          const problem = await mismatch(testCase, recording[testCase.name]);
          if (unsupported[testCase.name] === undefined) assert.ok(problem === undefined, problem);
          else assert.ok(problem !== undefined, `"${testCase.name}" is supported now: remove it from unsupported.ts`);
        });
      }
    });
  }
});

describe('the conformance suite', () => {
  test('has a unique name and namespace for every case', () => {
    assert.equal(new Set(cases.map(namespaceOf)).size, cases.length);
  });

  test('has no recording of a removed testCase or area', async () => {
    const files = await readdir(new URL('./recorded/', import.meta.url));
    assert.deepEqual(
      files.toSorted(),
      Object.keys(areas)
        .map((area) => `${area}.json`)
        .toSorted(),
    );
    for (const [area, areaCases] of Object.entries(areas)) {
      assert.deepEqual(
        Object.keys(await readRecording(area)),
        areaCases.map(({ name }) => name),
      );
    }
  });

  test('has the minimal object of every built-in kind', () => {
    const known = new Set(minimalObjects('').map(({ kind }) => kind.kind));
    const missing = builtinKinds.filter(({ kind }) => !known.has(kind)).map(({ kind }) => kind);
    assert.deepEqual(missing, ['CustomResourceDefinition'], 'add it to minimal-objects.ts, and record its Table');
  });

  test('lists only existing cases as unsupported', () => {
    const names = new Set(cases.map(({ name }) => name));
    assert.deepEqual(
      Object.keys(unsupported).filter((name) => !names.has(name)),
      [],
    );
  });
});
