// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { MariaDB } from '@forge/kube/third-party/mariadb.ts';
import { Memcached } from '@forge/kube/third-party/memcached.ts';
import { isReady } from '@forge/runtime/objects/ready-condition.ts';
import { failOnError } from '@forge/runtime/steps/fail-on-error.ts';
import { ready, waiting } from '@forge/runtime/steps/outcome.ts';
import { owned } from '@forge/runtime/steps/owned.ts';
import { reads } from '@forge/runtime/steps/reads.ts';
import type { StepContext } from '@forge/runtime/steps/step-context.ts';
import { infrastructureReady as rows } from '../contract/infrastructure.ts';
import type { ControlPlane } from '../control-plane.ts';
import { mariadb, mariadbTopology, memcached } from '../objects/backing-services.ts';
import { concernsChild } from '../objects/child-changes.ts';
import { childProblem, type Child } from '../objects/child-problem.ts';
import { childState } from '../objects/child-state.ts';
import { cacheClusterOf, databaseClusterOf } from '../settings.ts';
import { step, type Services } from '../step.ts';

type Context = StepContext<ControlPlane, Services, object>;

/** A part: what else the objects have is the user's, or fixed at their creation. */
const part = 'topology';
const predicate = concernsChild(isReady);
const databaseNames = (controlPlane: ControlPlane) =>
  [databaseClusterOf(controlPlane)].filter((name) => name !== undefined);
const cacheNames = (controlPlane: ControlPlane) => [cacheClusterOf(controlPlane)].filter((name) => name !== undefined);

/** Creates database and cache where they are managed; those that exist already are used as they are. */
export const infrastructure = step({
  name: 'Infrastructure',
  condition: 'InfrastructureReady',
  owns: [
    owned(MariaDB, ['create', 'apply'], { part, predicate }),
    owned(Memcached, ['create', 'apply'], { part, predicate }),
  ],
  reads: [reads(MariaDB, databaseNames, { predicate }), reads(Memcached, cacheNames, { predicate })],
  async run(context) {
    const { object: controlPlane } = context;
    const database = databaseClusterOf(controlPlane);
    const cache = cacheClusterOf(controlPlane);
    const foundDatabase =
      database === undefined ||
      (await failOnError(
        (error) => rows.databaseRefused({ error }),
        () => ensure(MariaDB, mariadb(controlPlane, database), mariadbTopology(controlPlane, database), context),
      ));
    const foundCache =
      cache === undefined ||
      (await failOnError(
        (error) => rows.cacheRefused({ error }),
        () => ensure(Memcached, memcached(controlPlane, cache), memcached(controlPlane, cache), context),
      ));
    if (foundDatabase !== true) return waiting(rows.waitingForDatabase({ name: database }, foundDatabase.problem));
    if (foundCache !== true) return waiting(rows.waitingForCache({ name: cache }, foundCache.problem));
    return ready(rows.ready());
  },
});

/** Creates the object, or keeps its topology when it is ours; gives whether it is ready, or what it says is wrong. */
async function ensure<R extends Child>(
  kind: Kind<R>,
  initial: R,
  topology: R,
  { object, get, create, apply }: Context,
): Promise<true | { problem: string | undefined }> {
  const live = get(kind, initial.metadata.name);
  const state = childState(live, object);
  if (state === 'absent') await create(initial);
  if (live === undefined || state === 'leaving') return { problem: undefined };
  const current = state === 'own' ? await apply(topology, { part }) : live;
  return isReady(current) || { problem: childProblem(current) };
}
