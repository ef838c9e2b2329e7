// SPDX-License-Identifier: Apache-2.0
import { after, before, describe } from 'node:test';
import { controlPlaneCluster, second, type ControlPlaneCluster } from './control-plane/cluster.ts';
import { testCredential } from './control-plane/credential.ts';
import { testDeletion, testForcedRelease } from './control-plane/deletion.ts';
import { testFresh } from './control-plane/fresh.ts';
import { testOutages } from './control-plane/outages.ts';

describe('a ControlPlane with real programs', () => {
  let cluster: ControlPlaneCluster;

  before(async () => {
    cluster = await controlPlaneCluster();
    await cluster.create(second);
  });

  after(async () => {
    await cluster[Symbol.asyncDispose]();
  });

  testFresh(() => cluster);
  const testRelease = testForcedRelease(() => cluster);
  testCredential(() => cluster);
  testOutages(() => cluster);
  testDeletion(() => cluster);
  testRelease();
});
