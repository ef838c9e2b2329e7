// SPDX-License-Identifier: Apache-2.0
import { CronJob, Job, Pod } from '@forge/kube/kinds/builtin.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import type { ClusterState } from '@forge/simulation/scenario/cluster-state.ts';
import { waitUntil } from '@forge/simulation/scenario/wait-until.ts';
import type { Environment } from '@forge/simulation/world/environment.ts';
import { Keystone } from '../../api/keystone.ts';
import { tagOf } from '../releases.ts';
import { home } from '../start-keystone-operator.ts';
import { setSpec, type Step } from './user-steps.ts';

const contractJob = { ...home, name: `${home.name}-db-contract` };
const installed = '2025.2';
const target = '2026.1';
const setTag = (tag: string) => setSpec({ image: { tag } });

/** Asks for the next release. */
export const upgrade = setTag(target);

/** The migrate phase has begun: the schema is expanded. */
export const isMigrating = (state: ClusterState): boolean =>
  state.find(Job, { ...home, name: `${home.name}-db-migrate` }) !== undefined;

/** The migrate phase has ended, and everything that the rollout changes has the new image, whatever failed meanwhile. */
export const isRollingOut = (state: ClusterState): boolean => {
  const trustFlush = state.find(CronJob, { ...home, name: `${home.name}-trust-flush` });
  const flushed = tagOf(trustFlush?.spec.jobTemplate.spec?.template.spec);
  return (
    phaseOf(state) === 'RollingUpdate' &&
    flushed === target &&
    apiPods(state).some(({ spec }) => tagOf(spec) === target)
  );
};

/** A new pod serves and has replaced an old one: from then on the others wait until the next one is ready. */
export const isHalfRolledOut = (state: ClusterState): boolean => {
  const [fresh = [], old = []] = [true, false].map((isNew) =>
    apiPods(state).filter(({ spec }) => (tagOf(spec) === target) === isNew),
  );
  return isRollingOut(state) && fresh.some(isServing) && old.length === 1;
};

const isServing = ({ status }: Pod): boolean =>
  status?.conditions?.some((each) => each.type === 'Ready' && each.status === 'True') === true;

const apiPods = (state: ClusterState): Pod[] =>
  state.list(Pod).filter(({ metadata }) => metadata.labels?.['app.kubernetes.io/name'] === 'keystone');

/** Asks for the next release, and for the former one at this moment. */
export const upgradeAndAbort =
  (isNow: (state: ClusterState) => boolean): Step =>
  async (...all) => {
    await upgrade(...all);
    await waitUntil(all[1], isNow);
    await setTag(installed)(...all);
  };

/** Asks for the former release once contract works, and deletes its Job: the upgrade can only be completed. */
export const abortAfterContract: Step = async (...all) => {
  const [user, control] = all;
  await upgrade(...all);
  await waitUntil(control, (state) => state.find(Job, contractJob) !== undefined);
  await user.delete(Job, contractJob, { propagation: 'Background' });
  await setTag(installed)(...all);
  await waitUntil(control, (state) => databaseReasonOf(state) === 'DowngradeNotSupported');
  await upgrade(...all);
};

const newApiPods = { image: /:2026\.1$/, labels: { 'app.kubernetes.io/name': 'keystone' } };

/** A migration that takes long enough to be aborted. */
export const slowMigration = ({ pods }: Environment): void => {
  pods.add({ name: /-db-migrate-/ }, { exit: { code: 0, after: seconds(20) } });
};

/** A rollout that stays where it is after the first new pod, however late its abort is noticed. */
export const halfRollout = ({ pods }: Environment): void => {
  let first: string | undefined;
  pods.add(newApiPods, ({ metadata: { name } }) => {
    first ??= name;
    return { ready: name === first ? seconds(20) : 'never' };
  });
};

/** A new image whose pods never serve. */
export const stuckRollout = ({ pods }: Environment): void => {
  pods.add(newApiPods, { stuck: 'cannot pull' });
};

/** A contract that takes long enough to be aborted. */
export const slowContract = ({ pods }: Environment): void => {
  pods.add({ name: /-db-contract-/ }, { exit: { code: 0, after: seconds(20) } });
};

function databaseReasonOf(state: ClusterState): string | undefined {
  const { conditions = [] } = state.find(Keystone, home)?.status ?? {};
  return conditions.find(({ type }) => type === 'DatabaseReady')?.reason;
}

function phaseOf(state: ClusterState): string | undefined {
  return state.find(Keystone, home)?.status?.upgradePhase;
}
