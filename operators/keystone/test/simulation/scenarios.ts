// SPDX-License-Identifier: Apache-2.0
import { Job } from '@forge/kube/kinds/builtin.ts';
import type { JsonObject } from '@forge/kube/objects/json.ts';
import { ExternalSecret } from '@forge/kube/third-party/external-secrets.ts';
import { sleep, timestamp, type Clock } from '@forge/runtime/time/clock.ts';
import { minutes, seconds } from '@forge/runtime/time/duration.ts';
import type { Process, Scenario, ScenarioRun } from '@forge/simulation/scenario/scenario.ts';
import type { Environment } from '@forge/simulation/world/environment.ts';
import { Keystone } from '../../keystone.ts';
import { keystoneFixture } from '../keystone-fixture.ts';
import { home } from '../keystone-operator.ts';
import { managedFixture } from '../managed-keystone.ts';
import { playRotation } from '../play-rotation.ts';
import { electedOperators, oneOperator } from './operator.ts';
import { safetyRules } from './rules.ts';
import { mariadb, startingPoint, type StartingPoint } from './starting-point.ts';

type Mode = 'managed' | 'brownfield';
type OwnStep = ScenarioRun['steps'][number];
type Step = (...args: [...Parameters<OwnStep>, Environment]) => Promise<unknown>;

const replicas = 2;
const fixtures: Record<Mode, () => Keystone> = {
  managed: () => unstored({ ...managedFixture(), spec: { ...managedFixture().spec, replicas } }),
  brownfield: () => unstored(keystoneFixture({ replicas })),
};

function unstored(keystone: Keystone): Keystone {
  const { uid: _, generation: __, ...metadata } = keystone.metadata;
  return { ...keystone, metadata };
}

const create =
  (mode: Mode): Step =>
  (user) =>
    user.create(Keystone, fixtures[mode]());
const remove: Step = (user) => user.delete(Keystone, home);
const setSpec =
  (spec: object): Step =>
  (user) =>
    user.patch(Keystone, home, 'merge', { spec });
/** Changes a password in the secret store, and asks for it. */
const setPassword =
  (name: string, values: JsonObject = {}): Step =>
  (user, { clock }, { vault }) => {
    vault.write(`kv-v2/${name}`, { ...values, password: 'second-secret' });
    const annotations = { 'force-sync': timestamp(clock) };
    return user.patch(ExternalSecret, { ...home, name }, 'merge', { metadata: { annotations } });
  };

/** Asks for the next release, and for the former one as soon as the schema is expanded. */
const upgradeAndAbort: Step = async (user, { state, clock }) => {
  await user.patch(Keystone, home, 'merge', { spec: { image: { tag: '2026.1' } } });
  await untilSo(clock, () => state.find(Job, { ...home, name: `${home.name}-db-migrate` }) !== undefined);
  await user.patch(Keystone, home, 'merge', { spec: { image: { tag: '2025.2' } } });
};

/** Until Jobs that are done are gone, however long the rest took. */
const outwait: Step = (_, { clock }) => sleep(clock, minutes(6));

async function untilSo(clock: Clock, holds: () => boolean): Promise<void> {
  for (let left = 600; left > 0 && !holds(); left -= 1) await sleep(clock, seconds(1));
}

interface Life {
  mode?: Mode;
  /** Whether it starts with a Keystone that is Ready. */
  installed?: boolean;
  steps: readonly Step[];
  operator?: readonly Process[];
  /** What else goes on in the environment. */
  script?: (environment: Environment) => void;
}

/** Cluster states to start from; each is prepared once. */
const starts = new Map<string, Promise<StartingPoint>>();

function startOf(mode: Mode, installed: boolean): Promise<StartingPoint> {
  const name = installed ? mode : 'empty';
  const known = starts.get(name) ?? startingPoint(installed ? fixtures[mode]() : undefined);
  starts.set(name, known);
  return known;
}

function scenario({ mode = 'managed', installed = true, steps, operator = oneOperator, script }: Life): Scenario {
  let start: StartingPoint | undefined;
  return {
    // Their digests include uids.
    incomparable: /(pod-spec-hash|push-content-hash|completedBootstrap|syncedResourceVersion)$/,
    async from() {
      start = await startOf(mode, installed);
      return start.server;
    },
    newRun() {
      if (start === undefined) throw new Error('a run before its cluster was prepared');
      const environment = start.fork();
      script?.(environment);
      return {
        processes: [...environment.processes, ...operator],
        steps: steps.map((step) => (user, control) => step(user, control, environment)),
        rules: safetyRules(mode),
        outside: () => heldBy(environment),
      };
    },
  };
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

/** A migration that takes long enough to be aborted. */
const slowMigration = ({ pods }: Environment) =>
  void pods.add({ name: /-db-migrate-/ }, { exit: { code: 0, after: seconds(20) } });

/** The lives of a Keystone that are simulated, by name. */
export const keystoneScenarios: Readonly<Record<string, Scenario>> = {
  'create managed': scenario({ installed: false, steps: [create('managed'), outwait] }),
  'create brownfield': scenario({ mode: 'brownfield', installed: false, steps: [create('brownfield'), outwait] }),
  'create elected': scenario({ installed: false, steps: [create('managed'), outwait], operator: electedOperators }),
  configure: scenario({ steps: [setSpec({ extraConfig: { DEFAULT: { max_token_size: '300' } } })] }),
  scale: scenario({ steps: [setSpec({ replicas: 3 }), setSpec({ replicas: 1 })] }),
  passwords: scenario({
    mode: 'brownfield',
    steps: [setPassword('keystone-admin'), setPassword('keystone-db', { username: 'keystone' }), outwait],
  }),
  options: scenario({
    steps: [
      setSpec({
        policyOverrides: { rules: { 'identity:list_users': 'role:admin' } },
        autoscaling: { maxReplicas: 4, targetCPUUtilization: 80 },
      }),
      setSpec({ policyOverrides: null, autoscaling: null, trustFlush: { suspend: true } }),
      outwait,
    ],
  }),
  rotate: scenario({
    steps: [
      (_, control) => playRotation(control, home, 'fernet'),
      (_, control) => playRotation(control, home, 'credential'),
    ],
  }),
  upgrade: scenario({ steps: [setSpec({ image: { tag: '2026.1' } })] }),
  abort: scenario({ steps: [upgradeAndAbort], script: slowMigration }),
  delete: scenario({ steps: [remove] }),
  'delete brownfield': scenario({ mode: 'brownfield', steps: [remove] }),
  'delete and re-create': scenario({ steps: [remove, create('managed'), outwait] }),
  'delete and re-create brownfield': scenario({ mode: 'brownfield', steps: [remove, create('brownfield'), outwait] }),
};
