// SPDX-License-Identifier: Apache-2.0
import { Deployment, Job, Secret } from '@forge/kube/kinds/builtin.ts';
import { Database, Grant, User } from '@forge/kube/third-party/mariadb.ts';
import { checkpoint, degraded, ready } from '@forge/runtime/steps/outcome.ts';
import { owned } from '@forge/runtime/steps/owned.ts';
import { reads } from '@forge/runtime/steps/reads.ts';
import { touched } from '@forge/runtime/steps/touched.ts';
import { databaseReady } from '../../contract/database.ts';
import { upgradeEvents } from '../../contract/upgrade.ts';
import { Keystone } from '../../keystone.ts';
import { namesOf } from '../../names.ts';
import { imageOf } from '../../objects/pod.ts';
import { step } from '../../step.ts';
import { config } from '../config.ts';
import { dbConnection } from '../db-connection-secret.ts';
import { apiPods } from '../rollout.ts';
import { abortUpgrade } from './abort-upgrade.ts';
import type { DatabaseContext, DatabaseOutcome, ReleaseContext } from './database-context.ts';
import { measureDatabaseJobs } from './measure-database-jobs.ts';
import { clusterReads, provisionDatabase } from './provision-database.ts';
import {
  decideRelease,
  downgradeRefusal,
  servingTagOf,
  type Refusal,
  type Upgrade,
  type UpgradePhase,
} from './release-decision.ts';
import { rememberDatabase } from './remember-database.ts';
import { databaseJobPods } from './run-database-job.ts';
import { syncSchema } from './sync-schema.ts';
import { contractSchema, expand, migrate, noUpgrade, rollOut } from './upgrade-phases.ts';

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
  touches: [touched(Keystone, 'patch')],
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

/** Ends the upgrade, and goes on in the same pass: no row is specified for the moment between. */
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

/** Leaves all as it is; what serves goes on with new passwords and replicas. */
function refuse({ statement, event }: Refusal, { object }: DatabaseContext): DatabaseOutcome {
  const image = imageOf(object, servingTagOf(object.status ?? {}, object.spec.image.tag));
  return degraded(statement, { output: { image }, event });
}
