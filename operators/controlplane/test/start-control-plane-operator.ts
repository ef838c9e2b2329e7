// SPDX-License-Identifier: Apache-2.0
import { Secret } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { Clock } from '@forge/runtime/environment/clock.ts';
import { observedResource, type ObservedResource } from '@forge/testing/observed-resource.ts';
import type { Permission } from '@forge/testing/permissions.ts';
import { secretIn } from '@forge/testing/secret-in.ts';
import { startOperator, type StartedOperator, type StartOptions } from '@forge/testing/start-operator.ts';
import { ControlPlane } from '../api/control-plane.ts';
import { childKinds } from './child-kinds.ts';
import { controlPlaneFixture, home } from './control-plane-fixture.ts';
import { newControllers, ownKinds } from './controllers.ts';
import { neighbourhood, passwords, type Neighbourhood, type NeighbourName } from './neighbours.ts';

/** The operator on a test cluster: real API server and steps; stand-ins of other operators, and a fake Keystone. */
export interface ControlPlaneOperator extends Neighbourhood, StartedOperator, ObservedResource {
  controlPlane(): Promise<ControlPlane>;
}

/** How the operator is started. */
interface ControlPlaneOperatorOptions extends StartOptions {
  /** Kinds of other operators that are installed. Default: all. */
  kinds?: readonly Kind[];
  /** Other operators at work. Default: all. */
  wanted?: readonly NeighbourName[];
}

/** The permissions that operators of this process have needed so far, without those to watch. */
export const usedPermissions = new Set<Permission | undefined>();

/** The Ready condition of a ControlPlane that is ready. */
export const allReady = '+AllReady: All sub-conditions are ready';

/** Starts it beside its neighbours. */
export async function startControlPlaneOperator({
  kinds = childKinds,
  wanted,
  ...options
}: ControlPlaneOperatorOptions = {}): Promise<ControlPlaneOperator> {
  await using stack = new AsyncDisposableStack();
  const here = stack.use(await neighbourhood({ kinds: [...ownKinds, ...kinds], wanted }));
  const { cluster, http } = here;
  const tested = {
    lease: { ...home, name: 'c5c3-operator' },
    kinds: ownKinds,
    controllers: (clock: Clock) => newControllers(http, clock),
    usedPermissions,
  };
  const started = stack.use(await startOperator(cluster, tested, options));
  const owned = stack.move();
  return {
    ...here,
    ...started,
    ...observedResource(ControlPlane, home, cluster),
    controlPlane: () => cluster.client.get(ControlPlane, home),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Creates the ControlPlane of the tests. */
export async function createControlPlane(
  { cluster: { client } }: ControlPlaneOperator,
  change?: Partial<ControlPlane['spec']>,
): Promise<ControlPlane> {
  return await client.create(ControlPlane, controlPlaneFixture(change));
}

/** Creates the Secrets that users with a database of their own supply. */
export async function createCredentials({ cluster: { client } }: ControlPlaneOperator): Promise<void> {
  await client.create(Secret, secret('keystone-db', { username: 'keystone', password: passwords.database }));
  await client.create(Secret, secret('keystone-admin', { password: passwords.admin }));
}

/** Builds a Secret of the tests' namespace. */
export const secret = secretIn(home.namespace);
