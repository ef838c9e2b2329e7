// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { beforeEach, describe, test, type TestContext } from 'node:test';
import { contractCoverage } from '@forge/runtime/contract/contract-coverage.ts';
import { controlPlaneContract } from '../contract.ts';
import { credentialFlows } from './flows/credentials.ts';
import { deletionFlows } from './flows/deletion.ts';
import { infrastructureFlows } from './flows/infrastructure.ts';
import { keystoneFlows } from './flows/keystone.ts';

describe('the contract of a ControlPlane up to its Keystone, and of its deletion', () => {
  const { observer, enterTest, differences } = contractCoverage(controlPlaneContract);
  beforeEach((context) => enterTest((context as TestContext).name));

  for (const declareTests of [infrastructureFlows, credentialFlows, keystoneFlows, deletionFlows])
    declareTests(observer);

  test('is what the operator said in all these, no more and no less', () => {
    const ours = /condition (Infrastructure|DBCredentials|AdminPassword|Keystone)Ready=| FinalizingORC |ORCTeardown/;
    assert.deepEqual(
      differences().filter((each) => ours.test(each)),
      [],
    );
  });
});
