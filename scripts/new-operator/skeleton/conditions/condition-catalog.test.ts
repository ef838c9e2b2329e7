// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { catalogCoverage } from '@forge/runtime/conditions/catalog-coverage.ts';
import { configFlows } from '../test/flows/config.ts';
import { specimenConditions } from './condition-catalog.ts';

describe('the conditions of a Specimen', () => {
  const { observer, differences } = catalogCoverage(specimenConditions);

  configFlows(observer);

  test('is what the operator said in all these, no more and no less', () => {
    assert.deepEqual(differences(), []);
  });
});
