// SPDX-License-Identifier: Apache-2.0
import { Secret, StatefulSet } from '@forge/kube/kinds/builtin.ts';
import type { JsonObject } from '@forge/kube/objects/json.ts';
import { ExternalSecret, PushSecret } from '@forge/kube/third-party/external-secrets.ts';
import { Database, MariaDB } from '@forge/kube/third-party/mariadb.ts';
import { sleep, timestamp } from '@forge/runtime/environment/clock.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { isReady } from '@forge/runtime/objects/ready-condition.ts';
import type { ClusterState } from '@forge/simulation/scenario/cluster-state.ts';
import type { ScenarioRun } from '@forge/simulation/scenario/scenario.ts';
import { waitUntil } from '@forge/simulation/scenario/wait-until.ts';
import type { Environment } from '@forge/simulation/world/environment.ts';
import { Keystone } from '../../api/keystone.ts';
import { keystoneFixture } from '../keystone-fixture.ts';
import { managedFixture } from '../managed-keystone.ts';
import { playRotation } from '../play-rotation.ts';
import { home } from '../start-keystone-operator.ts';
import { createMariaDB, mariadb } from './starting-point.ts';

/** Where the database of a Keystone is. */
export type Mode = 'managed' | 'brownfield';

/** What a user does, who can reach the environment. */
export type Step = (...args: [...Parameters<ScenarioRun['steps'][number]>, Environment]) => Promise<unknown>;

const replicas = 2;

/** The Keystone of every scenario. */
export const fixtures: Record<Mode, () => Keystone> = {
  managed: () => unstored({ ...managedFixture(), spec: { ...managedFixture().spec, replicas } }),
  brownfield: () => unstored(keystoneFixture({ replicas })),
};

function unstored(keystone: Keystone): Keystone {
  const { uid: _, generation: __, ...metadata } = keystone.metadata;
  return { ...keystone, metadata };
}

/** Creates the Keystone. */
export const create =
  (mode: Mode): Step =>
  (user) =>
    user.create(Keystone, fixtures[mode]());

/** Creates it again, once the one before is gone. */
export const recreate =
  (mode: Mode): Step =>
  async (...all) => {
    await waitUntil(all[1], (state) => state.find(Keystone, home) === undefined);
    await create(mode)(...all);
  };

/** Creates one whose image is of no release, and takes its credential keys once it has a schema. */
export const createAndTakeKeys: Step = async (...all) => {
  const [user, control] = all;
  const keystone = fixtures.managed();
  await user.create(Keystone, {
    ...keystone,
    spec: { ...keystone.spec, image: { ...keystone.spec.image, tag: 'latest' } },
  });
  const backup = { ...home, name: `${home.name}-credential-keys-backup` };
  const isBackedUp = (state: ClusterState) => state.find(PushSecret, backup)?.status?.refreshTime !== undefined;
  await waitUntil(control, (state) => isReady(state.find(Keystone, home)) && isBackedUp(state));
  await user.delete(Secret, { ...home, name: `${home.name}-credential-keys` });
};

const listUsersBy = (rule: string): Step => setSpec({ policyOverrides: { rules: { 'identity:list_users': rule } } });

/** Asks for a policy that fails its validation, and corrects it when that has failed. */
export const failPolicy: Step = async (...all) => {
  const [, control, { pods }] = all;
  const succeed = pods.add({ name: /-policy-validation-/ }, { exit: { code: 1, after: seconds(1) } });
  await listUsersBy('role:nobody')(...all);
  await waitUntil(control, (state) => !isReady(state.find(Keystone, home)));
  await sleep(control.clock, minutes(2));
  succeed();
  await listUsersBy('role:admin')(...all);
};

/** Deletes it. */
export const remove: Step = (user) => user.delete(Keystone, home);

/** Deletes it in the foreground: the garbage collector deletes what it owns at the same time. */
export const removeInForeground: Step = (user) => user.delete(Keystone, home, { propagation: 'Foreground' });

/** Deletes it alone: the garbage collector takes it off what it owns. */
export const removeWithoutDependents: Step = (user) => user.delete(Keystone, home, { propagation: 'Orphan' });

/** Deletes it together with the Secrets that it refers to, and what makes them. */
export const removeWithSecrets: Step = async (...all) => {
  await remove(...all);
  for (const name of ['keystone-admin', 'keystone-db']) await all[0].delete(ExternalSecret, { ...home, name });
};

/** Deletes its database, with all that is in it, and waits until there is another one. */
export const deleteDatabase: Step = async (user, control) => {
  const first = (await user.get(Database, home)).metadata.uid;
  await user.delete(Database, home);
  await waitUntil(control, (state) => {
    const { uid } = state.find(Database, home)?.metadata ?? {};
    return uid !== undefined && uid !== first;
  });
};

/** Replaces its MariaDB by another one, which is empty. */
export const replaceServer: Step = async (user, control, { sql }) => {
  await user.delete(MariaDB, mariadb);
  await waitUntil(control, (state) => state.find(StatefulSet, mariadb) === undefined);
  const { databases, users, grants } = sql.server(mariadb);
  for (const held of [databases, users, grants]) held.clear();
  await createMariaDB(user);
};

/** Changes its spec. */
export const setSpec =
  (spec: object): Step =>
  (user) =>
    user.patch(Keystone, home, 'merge', { spec });

/** Changes a password in the secret store, and asks for it. */
export const setPassword =
  (name: string, values: JsonObject = {}): Step =>
  (user, { clock }, { vault }) => {
    vault.write(`kv-v2/${name}`, { ...values, password: 'second-secret' });
    const annotations = { 'force-sync': timestamp(clock) };
    return user.patch(ExternalSecret, { ...home, name }, 'merge', { metadata: { annotations } });
  };

/** Runs the rotation CronJob; without its Secret, which somebody may have taken for good, its pod cannot start. */
export const rotateKeys =
  (kind: 'fernet' | 'credential'): Step =>
  async (_, control) => {
    const { data } = control.state.find(Secret, { ...home, name: `${home.name}-${kind}-keys` }) ?? {};
    if (Object.keys(data ?? {}).length > 0) await playRotation(control, home, kind);
  };
