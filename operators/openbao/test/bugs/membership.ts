// SPDX-License-Identifier: Apache-2.0
import type { OperatorBug } from '@forge/testing/bugs/operator-bugs.ts';
import { ruleNames } from '../simulation/rule-names.ts';

const simulated = (scenario: string) => ['test/simulation/simulation.test.ts', scenario] as const;
const played = (flow: string) => ['conditions/condition-catalog.test.ts', flow] as const;

/** Bugs by which servers leave wrongly, or come back with old data. */
export const membershipBugs: readonly OperatorBug[] = [
  {
    name: 'a smaller cluster takes its voters away',
    file: 'steps/membership/decide-membership.ts',
    find: "if (isUnknown(raft)) return { does: 'hold', ordinal, cause: mayRemove ? raft.unknown : noUpgradeCredential };",
    replace: "if (isUnknown(raft)) return { does: 'shrink', ordinal };",
    caughtBy: simulated('change the configuration, and hold fewer replicas'),
    reports: ruleNames.membersStay,
  },
  {
    name: 'a pod goes before its server has left the Raft cluster',
    file: 'steps/membership/decide-membership.ts',
    find: 'if (raft.members.some((member) => member.id === id)) {',
    replace: 'if (raft.members.length === ordinal) {',
    caughtBy: simulated('scale down to one'),
    reports: ruleNames.membersStay,
  },
  {
    name: 'a server leaves while another one is down',
    file: 'steps/membership/decide-membership.ts',
    find: 'return behind && `waiting',
    replace: 'return behind?.isVoter === true ? undefined : `waiting',
    caughtBy: played('nobody leaves while another server is not ready, and it is named'),
  },
  {
    name: 'a leader is removed before another one leads',
    file: 'steps/membership/decide-membership.ts',
    find: "raft.leader === id ? 'step down' : 'remove'",
    replace: "raft.leader === '' ? 'step down' : 'remove'",
    caughtBy: played('a server that leads hands over before it leaves, also the second of two'),
  },
  {
    name: 'a removal that was begun is given up when more servers are wanted',
    file: 'steps/membership/decide-membership.ts',
    find: 'Math.max(1, Math.min(wanted, ...leaving))',
    replace: 'Math.max(1, wanted)',
    caughtBy: played('a server comes back with an empty disk, also when more are wanted again before it is removed'),
  },
  {
    name: 'an upgrade and a change of the number of servers go on at the same time',
    file: 'steps/membership/decide-membership.ts',
    find: 'if (isUpgrading) {',
    replace: 'if (isUpgrading && current < 0) {',
    caughtBy: played('an upgrade keeps the number of pods, and servers leave after it'),
  },
  {
    name: 'a set that somebody makes smaller during an upgrade stays so',
    file: 'steps/membership/decide-membership.ts',
    find: 'replicas: Math.max(current, claimed) };',
    replace: 'replicas: claimed < 0 ? claimed : current };',
    caughtBy: played('an upgrade keeps the number of pods, and servers leave after it'),
  },
  {
    name: 'an upgrade begins while a server leaves',
    file: 'steps/upgrade/begin-upgrade.ts',
    find: 'if (leaver !== undefined) return',
    replace: 'if (leaver === -1) return',
    caughtBy: played('no upgrade begins while a server leaves, also if as many are wanted as there are'),
  },
  {
    name: 'that a server leaves is not written down before it is removed',
    file: 'steps/cluster/membership.ts',
    find: "await markClaim(decision.ordinal, 'begun', context);",
    replace: '',
    caughtBy: played('servers leave one at a time: first the Raft cluster, then their pods, and then their data'),
  },
  {
    name: 'a removal that stands on a claim without labels does not count',
    file: 'steps/cluster/membership.ts',
    find: 'claims: claimViews(cluster, await claimsByName(context))',
    replace: 'claims',
    caughtBy: played('the data of a removed server is not used, also if its claim has lost its labels'),
  },
  {
    name: 'a cluster that is created again starts servers that were removed',
    file: 'steps/membership/starting-replicas.ts',
    find: 'return voters === 0 || others > voters / 2;',
    replace: 'return voters === 0;',
    caughtBy: simulated('delete while a server leaves, and re-create'),
    reports: ruleNames.removedStayOut,
  },
  {
    name: 'a cluster that is created again waits for the majority that it does not start',
    file: 'steps/membership/starting-replicas.ts',
    find: 'return voters === 0 || others > voters / 2;',
    replace: 'return true;',
    caughtBy: [
      'steps/membership/starting-replicas.test.ts',
      'with the claims "d?" and replicas 3: 3 of a new cluster, 3 of an initialised one',
    ],
  },
  {
    name: 'drains may take two servers of three that have not left yet',
    file: 'objects/pod-disruption-budget.ts',
    find: 'Math.max(cluster.spec.replicas, running)',
    replace: 'cluster.spec.replicas',
    caughtBy: played('drains wait for each other until the last server that can be spared has left'),
  },
  {
    name: 'a pod that is no member passes for one',
    file: 'steps/membership/report-membership.ts',
    find: 'if (stranger !== undefined)',
    replace: 'if (stranger === -1)',
    caughtBy: played('a pod that is ready and no member is named, and joins again with an empty disk'),
  },
];
