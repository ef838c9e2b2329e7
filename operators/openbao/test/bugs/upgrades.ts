// SPDX-License-Identifier: Apache-2.0
import type { OperatorBug } from '@forge/testing/bugs/operator-bugs.ts';

const decided = (test: string) => ['steps/upgrade/next-move.test.ts', test] as const;
const played = (flow: string) => ['conditions/condition-catalog.test.ts', flow] as const;

/** Bugs of upgrades: an outage, a pod that goes back, a halt without end. */
export const upgradeBugs: readonly OperatorBug[] = [
  {
    name: 'a pod is released while another one is down',
    file: 'steps/upgrade/observed.ts',
    find: 'const problem = unhealthy(each) ?? outOfSync(each, observed);',
    replace: 'const problem = outOfSync(each, observed);',
    caughtBy: decided('releases no pod while another one is down, lags, or follows nobody'),
  },
  {
    name: 'a server that lags counts as in sync',
    file: 'steps/upgrade/observed.ts',
    find: 'return isFollower && lag <= syncLimit ?',
    replace: 'return isFollower && lag !== undefined ?',
    caughtBy: decided('releases no pod while another one is down, lags, or follows nobody'),
  },
  {
    name: 'a pod of a new cluster goes before the others vote',
    file: 'steps/upgrade/observed.ts',
    find: 'name !== without && pod?.isNew === true',
    replace: 'name === undefined && pod?.isNew === true',
    caughtBy: played('a new cluster is not upgraded before its pods vote'),
  },
  {
    name: 'the old pod passes for the new one',
    file: 'steps/upgrade/next-move.ts',
    find: 'isCurrent(server, observed) && server.pod?.uid !== podUid;',
    replace: 'isCurrent(server, observed) && server.pod?.uid !== podUid?.slice(99);',
    caughtBy: decided('does not take the old pod for the new one'),
  },
  {
    name: 'a leader is ended without handing over',
    file: 'steps/upgrade/next-move.ts',
    find: 'servers.length > 1 && answer?.leads === true;',
    replace: 'servers.length > 9 && answer?.leads === true;',
    caughtBy: decided('asks a leader to step down, and nobody when there is only one server'),
  },
  {
    name: 'a halted upgrade goes on acting',
    file: 'steps/upgrade/next-move.ts',
    find: "if (haltOf(state) !== undefined) return { does: 'wait' };",
    replace: '',
    caughtBy: decided('halts when a step takes too long, does nothing then, and goes on when its state is reached'),
  },
  {
    name: 'the version that a server reports does not count',
    file: 'steps/upgrade/next-move.ts',
    find: 'if (!isSameVersion(answer.version, targetVersion))',
    replace: 'if (!isSameVersion(answer.version, answer.version))',
    caughtBy: decided('names a server of another version at once'),
  },
  {
    name: 'a pod that dies after a correction comes back with the lower version',
    file: 'steps/upgrade/plan-upgrade.ts',
    find: 'compareVersions(from, highest) >= 0)',
    replace: "compareVersions(from, '') >= 0)",
    caughtBy: decided(
      'goes by deletions where a pod that dies would come back with a lower version, or the broken one is not the last',
    ),
  },
  {
    name: 'the snapshot before an upgrade that failed is made again and again',
    file: 'steps/upgrade/pre-upgrade-snapshot.ts',
    find: "if (last?.result === 'Failed' && last.generation === generation && last.retry === retry)",
    replace: "if (last?.result === 'Failed' && last.generation === generation && last.retry !== retry)",
    caughtBy: played('a snapshot that fails keeps the upgrade from beginning until somebody asks for it again'),
  },
];
