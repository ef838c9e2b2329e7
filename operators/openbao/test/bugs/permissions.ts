// SPDX-License-Identifier: Apache-2.0
import type { OperatorBug } from '@forge/testing/bugs/operator-bugs.ts';

const compared = (test: string) => ['clients/token-calls.test.ts', test] as const;

/** Bugs of the policies and roles that `forge seed` writes: more than is needed, less, or for somebody else. */
export const permissionBugs: readonly OperatorBug[] = [
  {
    name: 'a policy lacks a call that the operator makes',
    file: 'clients/openbao-api.ts',
    find: "withToken('autopilot', token)",
    replace: "{ method: 'GET', path: 'sys/storage/raft/autopilot/configuration', token }",
    caughtBy: compared('are exactly those that the client sends with one, as it sends them'),
  },
  {
    name: 'backups may ask a leader to step down',
    file: 'clients/token-calls.ts',
    find: 'needsSudo: true,\n    by: upgrades',
    replace: 'needsSudo: true,\n    by: anyone',
    caughtBy: compared('are allowed to those who make them, and nothing else is'),
  },
  {
    name: 'the ServiceAccount of backups can log in for upgrades',
    file: 'clients/jwt-access.ts',
    find: 'serviceAccount: upgradeServiceAccount',
    replace: 'serviceAccount: backupServiceAccount',
    caughtBy: compared('is a role for each of its ServiceAccounts, and for no other'),
  },
];
