// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { catalogCoverage } from '@forge/runtime/conditions/catalog-coverage.ts';
import { configFlows } from '../test/flows/config.ts';
import { openbaoConditions } from './condition-catalog.ts';

describe('the conditions of an OpenBaoCluster', () => {
  const { observer, differences } = catalogCoverage(openbaoConditions);

  configFlows(observer);

  test('is what the operator said in all these, no more and no less', () => {
    assert.deepEqual(differences(), []);
  });
});
