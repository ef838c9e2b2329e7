// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { MariaDB } from '@forge/kube/third-party/mariadb.ts';
import { Memcached } from '@forge/kube/third-party/memcached.ts';
import { isReady } from '@forge/runtime/objects/ready-condition.ts';
import { failOnError } from '@forge/runtime/steps/fail-on-error.ts';
import { modified } from '@forge/runtime/steps/modified.ts';
import { ready, waiting } from '@forge/runtime/steps/outcome.ts';
import { owned } from '@forge/runtime/steps/owned.ts';
import { reads } from '@forge/runtime/steps/reads.ts';
import type { ContextOf } from '@forge/runtime/steps/step.ts';
import type { ControlPlane } from '../api/control-plane.ts';
import { cacheClusterOf, databaseClusterOf } from '../api/settings.ts';
import { infrastructureReady as cases } from '../conditions/infrastructure.ts';
import { mariadb, mariadbTopology, memcached } from '../objects/backing-services.ts';
import { childPredicate } from '../objects/child-changes.ts';
import { childProblem, type Child } from '../objects/child-problem.ts';
import { childState } from '../objects/child-state.ts';
import { loginRead, releaseLeftBehind } from './release-left-behind.ts';
import { step } from './step.ts';

type Context = ContextOf<typeof step>;

/** A part of the objects: other fields belong to the user, or are fixed at creation. */
const part = 'topology';
const predicate = childPredicate(isReady);
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
  reads: [reads(MariaDB, databaseNames, { predicate }), reads(Memcached, cacheNames, { predicate }), loginRead],
  modifies: [modified(MariaDB, 'release'), modified(Memcached, 'release')],
  async run(context) {
    const { object: controlPlane } = context;
    const database = databaseClusterOf(controlPlane);
    const cache = cacheClusterOf(controlPlane);
    const foundDatabase =
      database === undefined ||
      (await failOnError(
        (error) => cases.databaseRefused({ error }),
        () => ensure(MariaDB, mariadb(controlPlane, database), mariadbTopology(controlPlane, database), context),
      ));
    const foundCache =
      cache === undefined ||
      (await failOnError(
        (error) => cases.cacheRefused({ error }),
        () => ensure(Memcached, memcached(controlPlane, cache), memcached(controlPlane, cache), context),
      ));
    if (foundDatabase !== true) return waiting(cases.waitingForDatabase({ name: database }, foundDatabase.problem));
    if (foundCache !== true) return waiting(cases.waitingForCache({ name: cache }, foundCache.problem));
    return ready(cases.ready());
  },
});

/** Creates the object, or applies its topology if it is ours; returns whether it is ready, or its problem. */
async function ensure<R extends Child>(
  kind: Kind<R>,
  initial: R,
  topology: R,
  context: Context,
): Promise<true | { problem: string | undefined }> {
  const { object, get, create, apply } = context;
  const live = get(kind, initial.metadata.name);
  const state = childState(live, object);
  if (live === undefined) await create(initial);
  else if (state === 'terminating') await releaseLeftBehind(kind, live, context);
  if (live === undefined || state === 'terminating') return { problem: undefined };
  const current = state === 'own' ? await apply(topology, { part }) : live;
  return isReady(current) || { problem: childProblem(current) };
}
