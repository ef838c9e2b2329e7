// SPDX-License-Identifier: Apache-2.0
import { denyAccess, grantLeastPrivilege, operatorUser } from '@forge/cluster/controllers/test/least-privilege.ts';
import { observedResource, type ObservedResource } from '@forge/cluster/controllers/test/observed-resource.ts';
import { permissionFor, type Permission } from '@forge/cluster/controllers/test/permissions.ts';
import type { ApiRequest } from '@forge/kube/client/transport.ts';
import { Secret } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { ContractObserver } from '@forge/runtime/contract/contract.ts';
import { manager, type Manager } from '@forge/runtime/controller/manager.ts';
import { logger, type LogEntry } from '@forge/runtime/logging/logger.ts';
import type { Metrics } from '@forge/runtime/metrics/metrics.ts';
import { seededRandom } from '@forge/runtime/testing/seeded-random.ts';
import { now, seconds, type Duration } from '@forge/runtime/time/duration.ts';
import { ControlPlane } from '../control-plane.ts';
import { childKinds } from './child-kinds.ts';
import { controlPlaneFixture, home } from './control-plane-fixture.ts';
import { newControllers, ownKinds } from './controllers.ts';
import { neighbourhood, passwords, type Neighbourhood, type NeighbourName } from './neighbours.ts';

/** The operator on a test cluster: real API server and steps; other operators and Keystone are played. */
export interface ControlPlaneOperator extends Neighbourhood, ObservedResource {
  controlPlane(): Promise<ControlPlane>;
  /** The operator's writes since the last call: `POST mariadbs/openstack-db`. */
  writes(): string[];
  /** The objects that it asked the server for, outside of its cache, since the last call. */
  reads(): string[];
  /** From now on the operator may no longer do this with objects of the kind; gives what ends it. */
  deny(verb: string, kind: Kind): Promise<() => Promise<unknown>>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** How the operator is started. */
interface ControlPlaneOperatorOptions {
  observer?: ContractObserver;
  metrics?: Metrics;
  /** Kinds of other operators that are installed. Default: all. */
  kinds?: readonly Kind[];
  /** Other operators at work. Default: all. */
  wanted?: readonly NeighbourName[];
  /** Gets the log. */
  write?: (entry: LogEntry) => void;
  /** Awaited before each request of the operator: what others do meanwhile. */
  before?: (request: ApiRequest) => Promise<unknown>;
  /** How late the operator gets watch events of a collection. Default: not at all. */
  lag?: (path: string) => Duration;
  /** How far the operator's clock is behind that of the API server. Default: not at all. */
  clockBehind?: Duration;
}

/** The permissions that operators of this process have needed so far, without those to watch. */
export const usedPermissions = new Set<Permission | undefined>();

/** What Ready says of a ControlPlane that is. */
export const allReady = '+AllReady: All sub-conditions are ready';

/** Starts it beside its neighbours. */
export async function controlPlaneOperator({
  observer,
  metrics,
  kinds = childKinds,
  wanted,
  write = () => {},
  before = async () => {},
  lag = () => now,
  clockBehind = now,
}: ControlPlaneOperatorOptions = {}): Promise<ControlPlaneOperator> {
  await using stack = new AsyncDisposableStack();
  const here = stack.use(await neighbourhood({ kinds: [...ownKinds, ...kinds], wanted }));
  const { client, clock } = here.cluster;
  const lease = { ...home, name: 'c5c3-operator' };
  await grantLeastPrivilege(client, { controllers: newControllers(here.http, clock), requires: ownKinds, lease });

  const written: string[] = [];
  const read: string[] = [];
  const ownClient = here.cluster.as(
    operatorUser(lease.name),
    async (request) => {
      (request.method === 'GET' ? read : written).push(describe(request));
      usedPermissions.add(permissionFor(request));
      await before(request);
    },
    lag,
  );
  const log = logger({ clock, write });
  const ownClock = { ...clock, now: () => clock.now() - clockBehind };
  let running: Manager | undefined;

  const operator: ControlPlaneOperator = {
    ...here,
    ...observedResource(ControlPlane, home, here.cluster),
    controlPlane: () => client.get(ControlPlane, home),
    writes: () => written.splice(0),
    reads: () => read.splice(0),
    deny: (verb, kind) => denyAccess(client, lease.name, verb, kind),
    async start() {
      // As a new process: nothing of what the last one remembered is left.
      const optional = { ...(observer && { observer }), ...(metrics && { metrics }) };
      running = manager({ client: ownClient, clock: ownClock, random: seededRandom(), log, ...optional });
      for (const controller of newControllers(here.http, ownClock)) running.add(controller);
      await running.start();
    },
    async stop() {
      const ended = running?.stop();
      running = undefined;
      if (ended !== undefined) await clock.advance(seconds(20));
      await ended;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
  stack.defer(() => operator.stop());
  await operator.start();
  const owned = stack.move();
  return operator;
}

function describe({ method, path }: ApiRequest): string {
  const place = path.split('?')[0]?.replace(/^.*\/namespaces\/[^/]+\//, '');
  return `${method} ${place}`;
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

/** A Secret of the tests' namespace. */
export function secret(name: string, values: Record<string, string>): Secret {
  const data = Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, Buffer.from(value).toString('base64')]),
  );
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: home.namespace }, data };
}
