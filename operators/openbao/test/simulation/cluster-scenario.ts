// SPDX-License-Identifier: Apache-2.0
import { PersistentVolumeClaim, Secret } from '@forge/kube/kinds/builtin.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import type { Scenario } from '@forge/simulation/scenario/scenario.ts';
import { scenarioFrom, type StartingPoint } from '@forge/simulation/world/starting-point.ts';
import { openbaoFixture } from '../openbao-fixture.ts';
import { keptBy } from './kept-data.ts';
import { declaredControllers, oneOperator } from './operator.ts';
import { safetyRules } from './rules.ts';
import { openbaoStart } from './starting-point.ts';
import { claimsIn } from './stored-data.ts';
import type { Step } from './user-steps.ts';

/** What a scenario is made of. */
interface ClusterScenario {
  /** Whether it starts with a cluster that is available. */
  installed?: boolean;
  steps: readonly Step[];
  operator?: typeof oneOperator;
  /** Keys of objects that a run may make again more often than another. Default: those of the cluster's controllers. */
  repeats?: RegExp;
}

/** Cluster states to start from; each is prepared once. */
const starts = new Map<boolean, Promise<StartingPoint>>();

function startOf(installed: boolean): Promise<StartingPoint> {
  const known = starts.get(installed) ?? openbaoStart(installed ? openbaoFixture() : undefined);
  starts.set(installed, known);
  return known;
}

/** A scenario of one OpenBaoCluster. */
export function clusterScenario({
  installed = true,
  steps,
  operator = oneOperator,
  repeats,
}: ClusterScenario): Scenario {
  return scenarioFrom(
    () => startOf(installed),
    (start) => {
      const environment = start.fork();
      const { openbao } = environment;
      return {
        processes: [...environment.processes, ...operator(environment)],
        steps: steps.map((step) => (user, control) => step(user, control, environment)),
        ...safetyRules(openbao),
        // Its servers are ready at once: an upgrade of all of them, with some states for each, takes less than a minute.
        mostWritesPerMinute: 60,
        outside: (cluster) => keptBy(openbao, cluster),
      };
    },
    {
      // Made at random or from that, and who leads; what servers hold tells whether they fit.
      incomparable:
        /^(key|token|activeLeader|unsealKeyFingerprint|openbao-active)$|^openbao\.org\/(unseal-key-fingerprint|tls-cert-hash)$/,
      unpredictable: /^Pod demo-\d leads$/,
      // Its controller keeps and drops what it does not need any more.
      createdByOthers: new RegExp(`^controllerrevisions\\.apps/${repeats === undefined ? '' : `|${repeats.source}`}`),
      // A person who reads that the root token is lost begins again.
      recreatedAfterOutage: /^(pods|persistentvolumes|persistentvolumeclaims)\//,
      manualChanges: {
        controllers: declaredControllers,
        unowned: [
          { kind: Secret, keys: /^secrets\/default\/demo-(unseal-key|root-token)$/ },
          { kind: PersistentVolumeClaim, keys: /^persistentvolumeclaims\/default\/data-demo-/ },
        ],
        createdOnce: /-(unseal-key|root-token)$|\/data-demo-\d$/,
        // Their content is immutable, and without a claim there is nothing yet to lose.
        destroysData: ({ on, does }, cluster) =>
          /-(unseal-key|root-token)$|\/data-demo-\d$/.test(on) &&
          !['unlabel', 'empty'].includes(does) &&
          claimsIn(cluster).length > 0,
      },
      settleTime: seconds(60),
    },
  );
}
