// SPDX-License-Identifier: Apache-2.0
import { Keystone } from '@forge/keystone/api/keystone.ts';
import { Namespace, Secret } from '@forge/kube/kinds/builtin.ts';
import { ExternalSecret } from '@forge/kube/third-party/external-secrets.ts';
import { sleep, timestamp } from '@forge/runtime/environment/clock.ts';
import { minutes, seconds, type Duration } from '@forge/runtime/environment/duration.ts';
import type { ScenarioRun, StepControl } from '@forge/simulation/scenario/scenario.ts';
import { waitUntil } from '@forge/simulation/scenario/wait-until.ts';
import type { Environment } from '@forge/simulation/world/environment.ts';
import { ControlPlane } from '../../api/control-plane.ts';
import { CredentialRotation } from '../../api/credential-rotation.ts';
import { forceSyncAnnotation } from '../../api/names.ts';
import { brownfield, controlPlaneFixture, home } from '../control-plane-fixture.ts';
import { passwords, paths } from '../neighbours.ts';
import { rotationOf } from '../rotation-world.ts';
import { keystoneHost, type Mode } from './starting-point.ts';

/** What a user does, who can reach the environment. */
export type Step = (...args: [...Parameters<ScenarioRun['steps'][number]>, Environment]) => Promise<unknown>;

/** The password that replaces the first. */
export const nextPassword = 'second-secret';

/** The ControlPlane of every scenario. */
export const fixtures: Record<Mode, () => ControlPlane> = {
  managed() {
    const { infrastructure } = controlPlaneFixture().spec;
    const { database, cache } = infrastructure;
    return unstored({
      infrastructure: { database: { ...database, replicas: 1 }, cache: { ...cache, replicas: 1 } },
    });
  },
  brownfield: () => unstored({ infrastructure: brownfield }),
};

function unstored(spec: Partial<ControlPlane['spec']>): ControlPlane {
  return { ...controlPlaneFixture(spec), metadata: { ...home } };
}

/** Creates the ControlPlane. */
export const create =
  (mode: Mode): Step =>
  (user) =>
    user.create(ControlPlane, fixtures[mode]());

/** Creates it again, once the one before is gone. */
export const recreate: Step = async (...all) => {
  await untilGone(all[1]);
  await create('brownfield')(...all);
};

function untilGone(control: StepControl): Promise<void> {
  return waitUntil(control, (state) => state.find(ControlPlane, home) === undefined);
}

/** Deletes it. */
export const remove: Step = (user) => user.delete(ControlPlane, home);

/** Deletes it in the foreground, or leaving what depends on it. */
export const removeWith =
  (propagation: 'Foreground' | 'Orphan'): Step =>
  (user) =>
    user.delete(ControlPlane, home, { propagation });

/** Deletes it together with the Secrets that it refers to, as `kubectl delete -f` does. */
export const removeWithSecrets: Step = async (...all) => {
  await remove(...all);
  for (const name of ['keystone-admin', 'keystone-db']) await all[0].delete(Secret, { ...home, name });
};

/** Deletes the namespace, with everything in it. */
export const removeNamespace: Step = (user) => user.delete(Namespace, { name: home.namespace });

/** Changes its spec. */
export const setSpec =
  (spec: object): Step =>
  (user) =>
    user.patch(ControlPlane, home, 'merge', { spec });

/** Changes the admin password in the secret store, and has it synced. */
export const setPassword: Step = (user, { clock }, { vault }) => {
  vault.write(paths.adminPassword, { password: nextPassword });
  const annotations = { [forceSyncAnnotation]: timestamp(clock) };
  const ref = { ...home, name: `${home.name}-keystone-admin-credentials` };
  return user.patch(ExternalSecret, ref, 'merge', { metadata: { annotations } });
};

/** Changes the admin password in the user's own Secret. */
export const setOwnPassword: Step = (user) => {
  const data = { password: Buffer.from(nextPassword).toString('base64') };
  return user.patch(Secret, { ...home, name: 'keystone-admin' }, 'merge', { data });
};

/** Asks for another application credential. */
export const rotate: Step = (user) => user.create(CredentialRotation, rotationOf({ reMint: true }));

/** Deletes the ExternalSecret of clouds.yaml, whose Secret K-ORC guards. */
export const removeCloudsYaml: Step = (user) => user.delete(ExternalSecret, { ...home, name: 'k-orc-clouds-yaml' });

/** Takes this step while K-ORC is down, and starts K-ORC again after ten minutes. */
export const withoutKorc =
  (step: Step): Step =>
  async (...all) => {
    const { process, clock } = all[1];
    process('korc').end();
    await step(...all);
    await sleep(clock, minutes(10));
    process('korc').start();
  };

/** Does this while whatever K-ORC does fails, for ten minutes. */
export const whileKorcFails =
  (step: Step): Step =>
  async (...all) => {
    const [, { clock }, { standIns }] = all;
    standIns.korc.failure = 'out of order';
    await step(...all);
    await sleep(clock, minutes(10));
    standIns.korc.failure = undefined;
  };

/** Does this some time after the secret store went down, which is back ten minutes later. */
export const withoutStore =
  (step: Step, after: Duration): Step =>
  async (...all) => {
    const [, { clock }, { vault }] = all;
    vault.health = 'down';
    await sleep(clock, after);
    await step(...all);
    await sleep(clock, minutes(10));
    vault.health = 'up';
  };

/** Deletes the ControlPlane when K-ORC is gone for good. */
export const removeWithoutKorc: Step = async (...all) => {
  all[1].process('korc').end();
  await remove(...all);
};

/** Deletes the ControlPlane when Keystone is down for good. */
export const removeWithoutKeystone: Step = async (...all) => {
  all[2].keystones.at(keystoneHost).health = 'down';
  await remove(...all);
};

/** Creates the ControlPlane again once Keystone answers, which still has the credential that could not be revoked. */
export const recreateWithKeystone: Step = async (...all) => {
  await untilGone(all[1]);
  all[2].keystones.at(keystoneHost).health = 'up';
  await create('brownfield')(...all);
};

/** Deletes the ControlPlane while Keystone is down, for less time than K-ORC gets whatever the clock shows. */
export const removeDuringOutage: Step = async (...all) => {
  const [, { clock }, { keystones }] = all;
  await removeWithoutKeystone(...all);
  await sleep(clock, seconds(45));
  keystones.at(keystoneHost).health = 'up';
};

/**
 * Revokes the application credential in Keystone directly, and waits until the operator must have noticed; no longer: after an
 * hour, External Secrets reads its store again, and a run that faults prolong would not be at rest then.
 */
export const revoke: Step = async (_, { clock }, { keystones }) => {
  keystones.at(keystoneHost).state.credentials.clear();
  await sleep(clock, minutes(30));
};

/** Replaces the Keystone, and its database by an empty one that is bootstrapped: everything in it has other ids. */
export const replaceKeystone: Step = async (user, control, { keystones }) => {
  const ref = { ...home, name: `${home.name}-keystone` };
  const first = (await user.get(Keystone, ref)).metadata.uid;
  await user.delete(Keystone, ref);
  const keystone = keystones.at(keystoneHost);
  const { resources, credentials, passwords: known, tokens, admins } = keystone.state;
  for (const each of [...Object.values(resources), credentials, known, tokens, admins]) each.clear();
  keystone.bootstrap({ password: passwords.admin });
  await waitUntil(control, (state) => {
    const { uid } = state.find(Keystone, ref)?.metadata ?? {};
    return uid !== undefined && uid !== first;
  });
};

/** Keystone refuses the next application credential in a way that is final for K-ORC. */
export const refuseOnce: Step = async (_, __, { keystones }) => {
  const keystone = keystones.at(keystoneHost);
  let refused = 0;
  keystone.refuses = (request) => {
    const isMint = /^POST .*\/application_credentials$/.test(request);
    refused += isMint ? 1 : 0;
    return isMint && refused === 1 ? 409 : undefined;
  };
};

/** K-ORC takes its time. */
export const slowKorc = ({ standIns }: Environment): void => {
  standIns.korc.delay = seconds(20);
};
