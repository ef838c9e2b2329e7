// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import { PersistentVolumeClaim, Pod, Secret } from '@forge/kube/kinds/builtin.ts';
import type { JsonObject } from '@forge/kube/objects/json.ts';
import type { ClusterState } from '@forge/simulation/scenario/cluster-state.ts';
import type { ScenarioRun } from '@forge/simulation/scenario/scenario.ts';
import { waitUntil } from '@forge/simulation/scenario/wait-until.ts';
import type { Environment } from '@forge/simulation/world/environment.ts';
import { OpenBaoCluster } from '../../api/openbao-cluster.ts';
import { home, openbaoFixture } from '../openbao-fixture.ts';
import { at, names } from './stored-data.ts';

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
