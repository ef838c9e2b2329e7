// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import { PersistentVolumeClaim, Pod, Secret } from '@forge/kube/kinds/builtin.ts';
import type { JsonObject } from '@forge/kube/objects/json.ts';
import { sleep } from '@forge/runtime/environment/clock.ts';
import { milliseconds, seconds } from '@forge/runtime/environment/duration.ts';
import type { ClusterState } from '@forge/simulation/scenario/cluster-state.ts';
import type { ScenarioRun } from '@forge/simulation/scenario/scenario.ts';
import { waitUntil } from '@forge/simulation/scenario/wait-until.ts';
import type { Environment } from '@forge/simulation/world/environment.ts';
import { annotations } from '../../api/names.ts';
import { OpenBaoCluster } from '../../api/openbao-cluster.ts';
import { home, openbaoFixture } from '../openbao-fixture.ts';
import { leaderIn, policyFor, setToken, upgradeSecret, upgradeToken, withUpgradeToken } from '../raft-token.ts';
import { at, claimsIn, names } from './stored-data.ts';

/** What a user does, who can reach the environment. */
export type Step = (...args: [...Parameters<ScenarioRun['steps'][number]>, Environment]) => Promise<unknown>;

type Spec = Partial<OpenBaoCluster['spec']>;

/** Whether a condition of the cluster has this reason. */
const hasReason = (state: ClusterState, reason: string) =>
  state.find(OpenBaoCluster, home)?.status?.conditions?.some((condition) => condition.reason === reason) === true;

/** Creates the cluster. */
export const create =
  (spec: Spec = {}): Step =>
  (user) =>
    user.create(OpenBaoCluster, openbaoFixture(spec));

/** Waits until the cluster serves, and does what it says when its root token is lost. */
export const untilServing: Step = async (user, control) => {
  await waitUntil(control, (state) => hasReason(state, 'AllReplicasReady') || hasReason(state, 'RootTokenLost'));
  if (hasReason(control.state, 'RootTokenLost')) await takeClaim(0, user);
  await waitUntil(control, (state) => hasReason(state, 'AllReplicasReady'));
};

/** Creates the cluster, and waits until it serves. */
export const createUntilServing =
  (spec: Spec = {}): Step =>
  async (...all) => {
    await create(spec)(...all);
    await untilServing(...all);
  };

/** Changes its spec; null removes a field. */
export const setSpec =
  (spec: JsonObject): Step =>
  (user) =>
    user.patch(OpenBaoCluster, home, 'merge', { spec });

const hasReleased = (state: ClusterState) => state.find(OpenBaoCluster, home)?.status?.upgrade?.step === 'Ready';

/** Changes the spec, and once an upgrade has released its first pod, changes it again. */
export const setSpecWhileUpgrading =
  (first: JsonObject, then: JsonObject): Step =>
  async (...all) => {
    await setSpec(first)(...all);
    // A pod is ready within a second, and the next one must not be released yet.
    await waitUntil(all[1], hasReleased, milliseconds(100));
    // What a person sees and corrects takes longer than the operator.
    if ('image' in first) await sleep(all[1].clock, seconds(60));
    await setSpec(then)(...all);
  };

/** The leader steps down until this pod leads. */
export const leadBy =
  (ordinal: number): Step =>
  async (_user, control, { openbao }) => {
    const servers = () => [0, 1, 2].flatMap((each) => openbao.serverIn(at(names.pod(each))) ?? []);
    const leads = () => openbao.serverIn(at(names.pod(ordinal)))?.leads === true;
    for (let tries = 0; tries < 50 && !leads(); tries += 1) {
      const leader = servers().find((each) => each.leads);
      if (leader !== undefined) openbao.servers?.raft.stepDown(leader);
      await sleep(control.clock, seconds(12));
    }
  };

/** The pod that leads is deleted. */
export const loseLeader: Step = async (user, _control, { openbao }) => {
  const leading = [0, 1, 2].find((each) => openbao.serverIn(at(names.pod(each)))?.leads === true);
  if (leading !== undefined) await user.delete(Pod, at(names.pod(leading)));
};

/** Names the Secret with a token for upgrades, which the servers know. */
export const provideToken: Step = async (...all) => {
  const [user, control, { openbao }] = all;
  await setSpec(withUpgradeToken)(...all);
  await waitUntil(control, () => leaderIn(openbao) !== undefined);
  setToken(openbao, policyFor('upgrade'));
  const metadata = at(upgradeSecret);
  await user.create(Secret, { apiVersion: 'v1', kind: 'Secret', metadata, stringData: { token: upgradeToken } });
};

/** A server has left within a second. */
const shortly = milliseconds(50);

const isLeaving = (state: ClusterState) =>
  claimsIn(state).some(({ metadata }) => metadata.annotations?.[annotations.removal] !== undefined);

/** Asks for fewer servers, and does something else while one of them leaves. */
export const whileLeaving =
  (replicas: number, other: Step): Step =>
  async (...all) => {
    await setSpec({ replicas })(...all);
    await waitUntil(all[1], isLeaving, shortly);
    await other(...all);
  };

/** Deletes it. */
export const remove =
  (propagation: 'Background' | 'Foreground' | 'Orphan' = 'Background'): Step =>
  (user) =>
    user.delete(OpenBaoCluster, home, { propagation });

/** Creates the cluster, and deletes it with its claims while it is initialised. */
export const createAndRemove: Step = async (...all) => {
  await create({ deletionPolicy: 'DeletePVCs' })(...all);
  await waitUntil(all[1], (state) => state.find(Pod, at(names.pod(0)))?.status?.phase === 'Running');
  await remove()(...all);
};

const isGone = (state: ClusterState) => state.find(OpenBaoCluster, home) === undefined;

/** Creates it again, once the one before is gone. */
export const recreate =
  (spec: Spec = {}): Step =>
  async (...all) => {
    await waitUntil(all[1], isGone);
    await create(spec)(...all);
  };

/** The same, when somebody has deleted the claim of the first pod, and the root token, which alone would speak against an initialisation. */
export const recreateWithoutFirstClaim: Step = async (...all) => {
  const [user, control] = all;
  await waitUntil(control, isGone);
  await user.delete(Secret, at(names.rootTokenSecret));
  await user.delete(PersistentVolumeClaim, at(names.claim(0)));
  await waitUntil(control, (state) => state.find(PersistentVolumeClaim, at(names.claim(0))) === undefined);
  await create()(...all);
};

async function takeClaim(ordinal: number, user: Client): Promise<void> {
  await user.delete(PersistentVolumeClaim, at(names.claim(ordinal)));
  await user.delete(Pod, at(names.pod(ordinal)));
}

/** A person takes the claim of a pod, and the pod. */
export const loseClaim =
  (ordinal: number): Step =>
  (user) =>
    takeClaim(ordinal, user);

/** A person takes the unseal key, and puts it back when the cluster asks for it. */
export const loseKey: Step = (user, control) =>
  withoutKey({ user, control, other: undefined }, () => Promise.resolve());

/** Creates the cluster again with another key in the place of its own, which is put back when the cluster asks for it. */
export const recreateWithKey =
  (other: string): Step =>
  async (...all) => {
    const [user, control] = all;
    await waitUntil(control, isGone);
    await withoutKey({ user, control, other }, () => create()(...all));
  };

interface LostKey {
  readonly user: Client;
  readonly control: Parameters<Step>[1];
  /** What is stored instead. */
  readonly other: string | undefined;
}

async function withoutKey({ user, control, other }: LostKey, during: () => Promise<unknown>): Promise<void> {
  const ref = at(names.unsealKeySecret);
  const stored = control.state.find(Secret, ref);
  // Somebody else was faster.
  if (stored === undefined) return;
  const { data, metadata, type = 'Opaque' } = stored;
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    type,
    metadata: { ...ref, labels: metadata.labels ?? {} },
  } as const;
  await user.delete(Secret, ref);
  if (other !== undefined) await user.create(Secret, { ...secret, data: { key: btoa(other) } });
  await during();
  await waitUntil(control, (state) => hasReason(state, other === undefined ? 'UnsealKeyMissing' : 'UnsealKeyMismatch'));
  if (other !== undefined) await user.delete(Secret, ref);
  await user.create(Secret, { ...secret, data: data ?? {}, immutable: true });
}
