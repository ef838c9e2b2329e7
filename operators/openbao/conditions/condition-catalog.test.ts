// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { catalogCoverage } from '@forge/runtime/conditions/catalog-coverage.ts';
import { backupHandsFlows } from '../test/flows/backup-hands.ts';
import { backupFlows } from '../test/flows/backup.ts';
import { certificateFlows } from '../test/flows/certificates.ts';
import { createFlows } from '../test/flows/create.ts';
import { deletionFlows } from '../test/flows/deletion.ts';
import { hiddenDataFlows } from '../test/flows/hidden-data.ts';
import { infrastructureFlows } from '../test/flows/infrastructure.ts';
import { initialiseFlows } from '../test/flows/initialise.ts';
import { membershipFlows } from '../test/flows/membership.ts';
import { pausedFlows } from '../test/flows/paused.ts';
import { reCreationFlows } from '../test/flows/re-creation.ts';
import { summaryFlows } from '../test/flows/summary.ts';
import { unsealKeyFlows } from '../test/flows/unseal-key.ts';
import { upgradeHaltFlows } from '../test/flows/upgrade-halts.ts';
import { upgradeSnapshotFlows } from '../test/flows/upgrade-snapshot.ts';
import { upgradeFlows } from '../test/flows/upgrade.ts';
import { volumeFlows } from '../test/flows/volumes.ts';
import { openbaoConditions } from './condition-catalog.ts';

describe('the conditions of an OpenBaoCluster', () => {
  const { observer, differences } = catalogCoverage(openbaoConditions);

  for (const declareTests of [
    createFlows,
    initialiseFlows,
    unsealKeyFlows,
    certificateFlows,
    infrastructureFlows,
    upgradeFlows,
    upgradeHaltFlows,
    upgradeSnapshotFlows,
    membershipFlows,
    summaryFlows,
    backupFlows,
    backupHandsFlows,
    pausedFlows,
    deletionFlows,
    reCreationFlows,
    hiddenDataFlows,
    volumeFlows,
  ]) {
    declareTests(observer);
  }

  test('is what the operator reported in all these, no more and no less', () => {
    assert.deepEqual(differences(), []);
  });
});
