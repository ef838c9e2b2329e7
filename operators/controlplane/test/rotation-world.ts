// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import { Namespace, Secret } from '@forge/kube/kinds/builtin.ts';
import type { Condition } from '@forge/kube/objects/object.ts';
import { ClusterSecretStore } from '@forge/kube/third-party/external-secrets.ts';
import { ApplicationCredential } from '@forge/kube/third-party/korc.ts';
import { defaultSecretStore } from '@forge/openstack/secret-store.ts';
import { watch, type Controller } from '@forge/runtime/controller/controller.ts';
import type { ManagerOptions } from '@forge/runtime/controller/manager.ts';
import { operatorProcess } from '@forge/simulation/scenario/operator-process.ts';
import type { Process } from '@forge/simulation/scenario/scenario.ts';
import { environment } from '@forge/simulation/world/environment.ts';
import { prepareCluster } from '@forge/simulation/world/prepare-cluster.ts';
import { world, type World } from '@forge/simulation/world/world.ts';
import { grantLeastPrivilege, operatorUser } from '@forge/testing/least-privilege.ts';
import { ControlPlane } from '../api/control-plane.ts';
import { CredentialRotation } from '../api/credential-rotation.ts';
import { namesOf, passwordHashAnnotation, passwordRefOf } from '../api/names.ts';
import { passwordHash } from '../objects/password-hash.ts';
import { rotationController } from '../reconcile.ts';
import { controlPlaneFixture, home } from './control-plane-fixture.ts';
import { setReady } from './set-ready.ts';

/** Who the operator is in these tests. */
export const operatorName = 'c5c3-operator';
const rotation = { ...home, name: 'rotate' };
const services = { reading: { secretStore: defaultSecretStore }, acting: {} };

/** Name of the process that the controller runs in. */
export const rotationProcessName = 'rotation';

/** The controller of CredentialRotations as a process; `options` are passed to its manager. */
export const rotationProcess = (options: Partial<ManagerOptions> = {}): Process => ({
  ...operatorProcess(rotationProcessName, () => [rotationController(services)], options),
  user: operatorUser(operatorName),
  frugal: true,
});

/** A cluster with the kinds, the namespace and the operator's access, and what else is created there. */
export const rotationCluster = (createMore?: (user: Client) => Promise<void>) =>
  prepareCluster({
    kinds: [ControlPlane, CredentialRotation, ApplicationCredential, ClusterSecretStore],
    async setUp(user) {
      const controllers = [rotationController(services)];
      const lease = { namespace: 'default', name: operatorName };
      await user.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: home.namespace } });
      await grantLeastPrivilege(user, { controllers, requires: [ControlPlane, CredentialRotation], lease });
      await user.create(ClusterSecretStore, {
        apiVersion: 'external-secrets.io/v1',
        kind: 'ClusterSecretStore',
        metadata: { name: defaultSecretStore },
        spec: { provider: { vault: { server: 'https://openbao:8200', path: 'kv-v2' } } },
      });
      await setStoreReady(user, 'True');
      await createMore?.(user);
    },
  });

/** Sets the status of the store as External Secrets would. */
export const setStoreReady = (user: Client, status: 'True' | 'False') =>
  setReady(user, ClusterSecretStore, { name: defaultSecretStore }, status);

/** A world with the controller; its manager gets the options. */
export async function rotationWorld(options: Partial<ManagerOptions> = {}): Promise<World> {
  const around = environment({ workloads: false });
  return world({ from: await rotationCluster(), environment: around, processes: [rotationProcess(options)] });
}

/** What plays the ControlPlane's part: it mints a credential where there is none, and deletes one whose digest is another. */
export function mintingProcess(): Process & { readonly minted: () => number } {
  let minted = 0;
  const controller: Controller = {
    name: 'minting',
    for: ControlPlane,
    watches: [watch(ApplicationCredential, () => [home])],
    async reconcile(ref, { cache, client }) {
      const controlPlane = cache.get(ControlPlane, ref);
      if (controlPlane === undefined) return undefined;
      const live = await client.find(ApplicationCredential, refOfCredential(controlPlane));
      if (live === undefined) {
        minted += 1;
        await client.create(ApplicationCredential, credential(controlPlane));
      } else if (live.metadata.annotations?.[passwordHashAnnotation] !== passwordHash(password)) {
        await client.delete(ApplicationCredential, refOfCredential(controlPlane));
      }
      return undefined;
    },
  };
  return { ...operatorProcess('minting', () => [controller]), reliable: true, minted: () => minted };
}

const password = 'hunter2';

const refOfCredential = (controlPlane: ControlPlane) => ({
  namespace: home.namespace,
  name: namesOf(controlPlane).applicationCredential,
});

/** The ControlPlane of these tests, as a request carries it. */
export const controlPlane = (named = home.name): ControlPlane => ({
  ...controlPlaneFixture(),
  metadata: { ...home, name: named },
});

/** Its application credential, minted with the password. */
export const credential = (owner = controlPlane()): ApplicationCredential => ({
  apiVersion: 'openstack.k-orc.cloud/v1alpha1',
  kind: 'ApplicationCredential',
  metadata: { ...refOfCredential(owner), annotations: { [passwordHashAnnotation]: passwordHash(password) } },
  spec: {
    cloudCredentialsRef: { secretName: namesOf(owner).passwordCloud, cloudName: 'admin' },
    resource: { userRef: namesOf(owner).user, secretRef: namesOf(owner).applicationCredential },
  },
});

/** The Secret with the admin password. */
export const passwordSecret = (text = password): Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { ...home, name: passwordRefOf(controlPlane()).name },
  data: { password: Buffer.from(text).toString('base64') },
});

/** A rotation of it. */
export const rotationOf = (spec: Partial<CredentialRotation['spec']> = {}): CredentialRotation => ({
  apiVersion: 'c5c3.io/v1alpha1',
  kind: 'CredentialRotation',
  metadata: rotation,
  spec: { target: 'adminApplicationCredential', ...spec },
});

/** Creates all that a rotation needs. */
export async function createTarget(user: Client): Promise<void> {
  await user.create(ControlPlane, controlPlane());
  await user.create(Secret, passwordSecret());
  await user.create(ApplicationCredential, credential());
}

/** Changes the rotation. */
export const changeRotation = (user: Client, spec: object) =>
  user.patch(CredentialRotation, rotation, 'merge', { spec });

/** What its Ready says: `reason`, with a `+` in front when it is True. */
export function readyOf({ state }: Pick<World, 'state'>): string | undefined {
  const { conditions = [] } = state.find(CredentialRotation, rotation)?.status ?? {};
  const found = conditions.find(({ type }: Condition) => type === 'Ready');
  return found && `${found.status === 'True' ? '+' : ''}${found.reason}`;
}

/** The digest on the credential; empty once another one is asked for. */
export const hashOn = ({ state }: Pick<World, 'state'>) =>
  state.find(ApplicationCredential, refOfCredential(controlPlane()))?.metadata.annotations?.[passwordHashAnnotation];

/** The rotation's status. */
export const statusOf = ({ state }: Pick<World, 'state'>) => state.find(CredentialRotation, rotation)?.status ?? {};
