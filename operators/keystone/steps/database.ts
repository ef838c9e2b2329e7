// SPDX-License-Identifier: Apache-2.0
// Two things must never happen to the data: a release that meets a schema it cannot read, and two programs that change the
// schema at once. So the order is fixed: provision the database (managed mode), note which database it is, then bring its
// schema to the release of spec.image, by db_sync at first and through the phases of an upgrade later
// (database/upgrade-phases.ts).
//
// What was decided stands in status before the Job that acts on it, so that an operator that crashes goes on where it was.
// The output is the image whose release fits the schema as it is at that moment; every other step runs that one and not
// spec.image.
//
// A downgrade, a skipped release or a move to another database is refused: the condition says so, and the pods go on
// serving. An upgrade can be taken back until contract may have begun (database/abort-upgrade.ts).
import { Deployment, Job, Secret } from '@forge/kube/kinds/builtin.ts';
import { Database, Grant, User } from '@forge/kube/third-party/mariadb.ts';
import { modified } from '@forge/runtime/steps/modified.ts';
import { checkpoint, degraded, ready } from '@forge/runtime/steps/outcome.ts';
import { owned } from '@forge/runtime/steps/owned.ts';
import { reads } from '@forge/runtime/steps/reads.ts';
import { Keystone } from '../api/keystone.ts';
import { namesOf } from '../api/names.ts';
import { databaseReady } from '../conditions/database.ts';
import { upgradeEvents } from '../conditions/upgrade.ts';
import { imageOf } from '../objects/pod.ts';
import { config } from './config.ts';
import { abortUpgrade } from './database/abort-upgrade.ts';
import type { DatabaseContext, DatabaseOutcome, ReleaseContext } from './database/database-context.ts';
import { measureDatabaseJobs } from './database/measure-database-jobs.ts';
import { clusterReads, provisionDatabase } from './database/provision-database.ts';
import {
  decideRelease,
  downgradeRefusal,
  servingTagOf,
  type Refusal,
  type Upgrade,
  type UpgradePhase,
} from './database/release-decision.ts';
import { rememberDatabase } from './database/remember-database.ts';
import { databaseJobPods } from './database/run-database-job.ts';
import { syncSchema } from './database/sync-schema.ts';
import { contractSchema, expand, migrate, noUpgrade, rollOut } from './database/upgrade-phases.ts';
import { dbConnection } from './db-connection-secret.ts';
import { apiPods } from './rollout/rollout.ts';
import { step } from './step.ts';

/** Provides the database, and brings its schema to the release of the image, through the phases of an upgrade if need be. */
export const database = step({
  name: 'Database',
  condition: 'DatabaseReady',
  needs: { config, dbConnection },
  owns: [owned(Job, ['create', 'remove']), Database, User, Grant],
  reads: [
    clusterReads,
    reads(Deployment, (keystone) => [namesOf(keystone).api]),
    apiPods,
    reads(Secret, (keystone) => [namesOf(keystone).credentialKeys]),
    ...Object.values(databaseJobPods),
  ],
  modifies: [modified(Keystone, 'patch')],
  writes: [
    'installedRelease',
    'targetRelease',
    'upgradePhase',
    'expandedRelease',
    'expandJob',
    'contractedRelease',
    'syncedDatabase',
    'failedDatabaseJob',
  ],
  async run(context) {
    const keepsJobs = await measureDatabaseJobs(context);
    const all = { ...context, keepsJobs };
    return (await provisionDatabase(context)) ?? (await rememberDatabase(all)) ?? (await manageRelease(all));
  },
});

async function manageRelease(context: ReleaseContext): Promise<DatabaseOutcome> {
  const { object: keystone } = context;
  const { tag } = keystone.spec.image;
  const decision = decideRelease(tag, keystone.status);
  switch (decision.action) {
    case 'sync':
      return await syncSchema(context);
    case 'stayAhead':
      return stayAhead(decision.from, decision.target, context);
    case 'refuse':
      return refuse(decision.refusal, context);
    case 'start':
      return start(decision.upgrade, context);
    case 'retarget': {
      // Contract waits again until no pod of the former patch is left.
      const back = decision.phase === 'Contracting' && ({ upgradePhase: 'RollingUpdate' } as const);
      return checkpoint({ targetRelease: tag, ...back });
    }
    case 'run':
      return await run(decision.phase, decision.upgrade, context);
    case 'abort':
      return await abort(decision.phase, decision.upgrade, context);
  }
}

/** Remembers the upgrade before its first Job. */
function start(upgrade: Upgrade, { object }: DatabaseContext): DatabaseOutcome {
  return degraded(databaseReady.detected({ ...upgrade }), {
    output: { image: imageOf(object, upgrade.from) },
    status: { targetRelease: upgrade.to, upgradePhase: 'Expanding' },
    event: upgradeEvents.initiated({ ...upgrade }),
  });
}

async function run(phase: UpgradePhase, upgrade: Upgrade, context: DatabaseContext): Promise<DatabaseOutcome> {
  switch (phase) {
    case 'Expanding':
      return await expand(upgrade, context);
    case 'Migrating':
      return await migrate(upgrade, context);
    case 'RollingUpdate':
      return await rollOut(upgrade, context);
    case 'Contracting':
      return await contractSchema(upgrade, context);
  }
}

/** Ends the upgrade and continues in the same pass: no condition is specified for the moment in between. */
async function abort(phase: UpgradePhase, upgrade: Upgrade, context: ReleaseContext): Promise<DatabaseOutcome> {
  const aborted = await abortUpgrade(phase, upgrade, context);
  if (aborted === 'refused') return refuse(downgradeRefusal(upgrade.to, upgrade.from), context);
  if ('outcome' in aborted) return aborted.outcome;
  const { from } = upgrade;
  const { expandedRelease: target } = aborted;
  const outcome = target === undefined ? await syncSchema(context) : stayAhead(from, target, context);
  return { ...outcome, status: { ...outcome.status, ...noUpgrade } };
}

/** Runs neither db_sync nor schema-check: the old release exits with an error on newer revisions, though its API works. */
function stayAhead(from: string, target: string, { object }: DatabaseContext): DatabaseOutcome {
  return ready(databaseReady.ahead({ from, target }), {
    output: { image: imageOf(object) },
    // Perhaps another patch of the same release.
    status: { installedRelease: object.spec.image.tag, failedDatabaseJob: undefined },
  });
}

/** Changes nothing; running pods still get new passwords and replicas. */
function refuse({ statement, event }: Refusal, { object }: DatabaseContext): DatabaseOutcome {
  const image = imageOf(object, servingTagOf(object.status ?? {}, object.spec.image.tag));
  return degraded(statement, { output: { image }, event });
}
