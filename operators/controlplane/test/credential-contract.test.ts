// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { beforeEach, describe, test, type TestContext } from 'node:test';
import { contractCoverage } from '@forge/runtime/contract/contract-coverage.ts';
import { controlPlaneContract } from '../contract.ts';
import { adminCredentialFlows } from './flows/admin-credential.ts';
import { catalogFlows } from './flows/catalog.ts';
import { korcFlows } from './flows/korc.ts';

describe('the contract of the admin credential', () => {
  const { observer, enterTest, differences } = contractCoverage(controlPlaneContract);
  beforeEach((context) => enterTest((context as TestContext).name));

  for (const declareTests of [korcFlows, adminCredentialFlows, catalogFlows]) declareTests(observer);

  test('is what the operator said in all these, no more and no less', () => {
    const ours = /condition (KORC|AdminCredential|Catalog)Ready=(?!False FinalizingORC)/;
    assert.deepEqual(
      differences().filter((each) => ours.test(each)),
      [],
    );
  });
});
