// SPDX-License-Identifier: Apache-2.0
import type { ApiRequest } from '@forge/kube/client/transport.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { Controller } from '@forge/runtime/controller/controller.ts';
import { manager, type ManagerOptions } from '@forge/runtime/controller/manager.ts';
import type { Clock } from '@forge/runtime/environment/clock.ts';
import { now, type Duration } from '@forge/runtime/environment/duration.ts';
import { seededRandom } from '@forge/runtime/environment/seeded-random.ts';
import { logger, type LogEntry } from '@forge/runtime/observability/logger.ts';
import { denyAccess, grantLeastPrivilege, operatorUser } from './least-privilege.ts';
import { permissionFor, type Permission } from './permissions.ts';
import { restartable, type Restartable } from './restartable.ts';
import type { TestCluster } from './test-cluster.ts';

/** An operator that runs on a test cluster. */
export interface StartedOperator extends Restartable, AsyncDisposable {
  /** The operator's writes since the last call: `POST mariadbs/openstack-db`. */
  writes(): string[];
  /** The objects that it asked the server for, outside of its cache, since the last call. */
  reads(): string[];
  /** From now on the operator may no longer do this with objects of the kind; returns a function that ends it. */
  deny(verb: string, kind: Kind): Promise<() => Promise<unknown>>;
}

/** An operator to start. */
interface TestedOperator {
  /** Its name and its namespace. */
  readonly lease: { readonly namespace: string; readonly name: string };
  /** Its kinds, which are installed. */
  readonly kinds: readonly Kind[];
  /** Its controllers, as in a process that has just started. */
  readonly controllers: (clock: Clock) => readonly Controller[];
  /** Gets the permissions that it needs, without those to watch. Default: nobody does. */
  readonly usedPermissions?: Set<Permission | undefined>;
}

/** How an operator is started. */
export interface StartOptions extends Pick<ManagerOptions, 'observer' | 'metrics' | 'tracing'> {
  /** Gets the log. */
  write?: (entry: LogEntry) => void;
  /** Awaited before each request of the operator: what others do meanwhile. */
  before?: (request: ApiRequest) => Promise<unknown>;
  /** How late the operator gets watch events of a collection. Default: not at all. */
  lag?: (path: string) => Duration;
  /** How far the operator's clock is behind that of the API server. Default: not at all. */
  clockBehind?: Duration;
}

/** Starts an operator that may do only what its controllers declare. */
export async function startOperator(
  cluster: TestCluster,
  { lease, kinds, controllers, usedPermissions }: TestedOperator,
  { write = () => {}, before, lag, clockBehind = now, ...options }: StartOptions = {},
): Promise<StartedOperator> {
  const clock = { ...cluster.clock, now: () => cluster.clock.now() - clockBehind };
  const log = logger({ clock: cluster.clock, write });
  await grantLeastPrivilege(cluster.client, { controllers: controllers(clock), requires: kinds, lease });
  const [written, read]: [string[], string[]] = [[], []];
  const record = async (request: ApiRequest) => {
    (request.method === 'GET' ? read : written).push(describe(request));
    usedPermissions?.add(permissionFor(request));
    await before?.(request);
  };
  const client = cluster.as(operatorUser(lease.name), record, lag);
  const operator = restartable(cluster.clock, () => {
    const running = manager({ client, clock, random: seededRandom(), log, ...options });
    for (const controller of controllers(clock)) running.add(controller);
    return running;
  });
  await operator.start();
  return {
    ...operator,
    writes: () => written.splice(0),
    reads: () => read.splice(0),
    deny: (verb, kind) => denyAccess(cluster.client, lease.name, verb, kind),
    [Symbol.asyncDispose]: () => operator.stop(),
  };
}

function describe({ method, path }: ApiRequest): string {
  const place = path.split('?')[0]?.replace(/^.*\/namespaces\/[^/]+\//, '');
  return `${method} ${place}`;
}
