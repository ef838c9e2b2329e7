// SPDX-License-Identifier: Apache-2.0
import { casesOf } from '@forge/runtime/conditions/cases.ts';
import type { ConditionCatalog } from '@forge/runtime/conditions/condition-catalog.ts';
import { backingUp, backupEvents } from './backing-up.ts';
import { degradedCases } from './degraded.ts';
import { deleting, deletionEvents } from './deletion.ts';
import { initializationEvents, initialized } from './initialization.ts';
import { available, etcdEncryption, leader, sealed } from './summary.ts';
import { tlsReady } from './tls.ts';
import { upgradeEvents, upgrading } from './upgrading.ts';

/** Everything that the operator reports about an OpenBaoCluster. */
export const openbaoConditions: ConditionCatalog = {
  conditions: casesOf<ConditionCatalog['conditions'][number]>([
    tlsReady,
    degradedCases,
    initialized,
    upgrading,
    backingUp,
    available,
    deleting,
    sealed,
    leader,
    etcdEncryption,
  ]),
  events: casesOf([initializationEvents, upgradeEvents, backupEvents, deletionEvents]),
  ready: 'none',
};
