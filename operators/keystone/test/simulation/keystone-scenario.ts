// SPDX-License-Identifier: Apache-2.0
import type { StandInName } from '@forge/cluster/stand-ins/register/stand-ins.ts';
import type { Process, Scenario } from '@forge/simulation/scenario/scenario.ts';
import type { Environment } from '@forge/simulation/world/environment.ts';
import { scenarioFrom, type StartingPoint } from '@forge/simulation/world/starting-point.ts';
import { declaredControllers, oneOperator } from './operator.ts';
import { safetyRules, takesKeys } from './rules.ts';
import { keystoneStart, mariadb } from './starting-point.ts';
import { fixtures, remove, type Mode, type Step, removeWithoutDependents } from './user-steps.ts';

/** What a scenario of a Keystone is made of. */
interface KeystoneScenario {
  mode?: Mode;
  /** Whether it starts with a Keystone that is Ready. */
  installed?: boolean;
  steps: readonly Step[];
  operator?: readonly Process[];
  /** What else goes on in the environment. */
  script?: (environment: Environment) => void;
  /** The dependencies besides External Secrets and mariadb-operator. */
  standIns?: readonly StandInName[];
  /** What others create any number of times, besides the pods of the MariaDB. */
  createdByOthers?: RegExp;
  /** What may differ after a hand on a child of this resource. Default: nothing. */
  aftermath?: Readonly<Record<string, RegExp>>;
}

const serverParts = /^(controllerrevisions\.apps|pods)\/openstack\/mariadb-/;

/** Cluster states to start from; each is prepared once. */
const starts = new Map<string, Promise<StartingPoint>>();

function startOf(mode: Mode, installed: boolean): Promise<StartingPoint> {
  const name = installed ? mode : 'empty';
  const known = starts.get(name) ?? keystoneStart(installed ? fixtures[mode]() : undefined);
  starts.set(name, known);
  return known;
}

/** A scenario of one Keystone, with its dependencies and the operator. */
export function keystoneScenario(options: KeystoneScenario): Scenario {
  const {
    mode = 'managed',
    installed = true,
    steps,
    operator = oneOperator,
    script,
    standIns = [],
    aftermath = {},
    createdByOthers,
  } = options;
  return scenarioFrom(
    () => startOf(mode, installed),
    (start) => {
      const environment = start.fork(standIns);
      script?.(environment);
      return {
        processes: [...environment.processes, ...operator],
        steps: steps.map((step) => (user, control) => step(user, control, environment)),
        rules: safetyRules(mode),
        outside: () => heldBy(environment),
      };
    },
    {
      // Their digests include uids; finished Jobs name the database that was there then.
      incomparable:
        /(-job-uid|pod-spec-hash|push-content-hash|completedBootstrap|syncedResourceVersion|forge\.c5c3\.io\/database)$/,
      // What its server consists of.
      createdByOthers:
        createdByOthers === undefined ? serverParts : new RegExp(`${serverParts.source}|${createdByOthers.source}`),
      // How many replicas autoscaling left behind.
      history: /replicas-kept$/,
      manualChanges: {
        controllers: declaredControllers,
        destroysData: takesKeys(mode, { isRecreated: steps.length > 1 && steps.includes(remove) }),
        mayDifferAfter(child, { does, at }) {
          const [resource = ''] = child.split('/');
          // Nobody repairs what is left without an owner, with what follows from it.
          if (steps.at(-1) === removeWithoutDependents)
            return new RegExp(`^(outside$|endpointslices|replicasets|pods)|${child.slice(resource.length)}$`);
          // External Secrets deletes the copies that it has recorded: it does not know a copy whose entry was removed by hand.
          const isForgotten =
            steps.at(-1) === remove && resource.startsWith('pushsecrets.') && does === 'empty' && at > 0;
          if (isForgotten) return /^outside$/;
          // Other Fernet keys are generated, and backed up.
          return child.endsWith('-fernet-keys') ? /^outside$/ : aftermath[resource];
        },
        createdOnce: /^(configmaps|jobs\.batch)\/|-(digest-key|fernet-keys|credential-keys)$/,
      },
    },
  );
}

/** What the dependencies hold. */
function heldBy({ vault, sql }: Environment): unknown {
  const { databases, users, grants } = sql.server(mariadb);
  const backups = vault.paths().toSorted();
  return {
    backups: Object.fromEntries(backups.map((path) => [path, vault.read(path)])),
    databases: [...databases.keys()].toSorted(),
    users: Object.fromEntries(users),
    grants: [...grants].map(([account, privileges]) => [account, [...privileges.keys()]]),
  };
}
