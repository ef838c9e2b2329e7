// SPDX-License-Identifier: Apache-2.0
// An upgrade without downtime: expand, migrate, roll out, contract. Each is a phase in status.upgradePhase, and a crash
// resumes it.
//
// Expand adds to the schema what the new release needs, migrate moves data there; the old release serves during both. Then
// the pods are replaced. Contract drops what only the old release reads, so it waits until every pod of the old release is
// gone, those that still drain included, and its start is written down before its Job: from there on there is no way back.
//
// A phase that fails is reported; the release that serves goes on, because every outcome hands on its image.
import { Job } from '@forge/kube/kinds/builtin.ts';
import type { Statement } from '@forge/runtime/conditions/cases.ts';
import type { EventNote } from '@forge/runtime/events/event-recorder.ts';
import type { FailedRun } from '@forge/runtime/jobs/run-job.ts';
import { checkpoint, degraded, ready } from '@forge/runtime/steps/outcome.ts';
import { databaseReady } from '../../conditions/database.ts';
import { upgradeEvents } from '../../conditions/upgrade.ts';
import { phaseJob, type SchemaPhase } from '../../objects/jobs/database-jobs.ts';
import { failureOf } from '../../objects/jobs/job.ts';
import { imageOf } from '../../objects/pod.ts';
import { isRolloutComplete } from '../rollout/rollout-complete.ts';
import { jobInputs, type DatabaseContext, type DatabaseOutcome } from './database-context.ts';
import { expandFacts } from './expand-facts.ts';
import type { Upgrade } from './release-decision.ts';
import { runDatabaseJob } from './run-database-job.ts';

/** The status fields of an upgrade, once there is none. */
export const noUpgrade = {
  targetRelease: undefined,
  upgradePhase: undefined,
  expandJob: undefined,
  contractedRelease: undefined,
};

/** Adds to the schema what the new release needs; the old one goes on serving. */
export async function expand(upgrade: Upgrade, context: DatabaseContext): Promise<DatabaseOutcome> {
  const { object: keystone } = context;
  const job = phaseJob(keystone, 'expand', jobInputs(context));
  const ahead = await expandFacts(upgrade, job, context);
  if (ahead !== undefined) return checkpoint(ahead);
  const serving = { image: imageOf(keystone, upgrade.from) };
  const unfinished = await runPhase('expand', job, upgrade, context);
  if (unfinished !== undefined) {
    const expandJob = context.get(Job, job.metadata.name)?.metadata.uid;
    const status = { ...unfinished.extras.status, expandJob };
    return degraded(unfinished.statement, { ...unfinished.extras, output: serving, status });
  }
  return degraded(databaseReady.expanded({ ...upgrade }), {
    output: serving,
    status: { upgradePhase: 'Migrating', failedDatabaseJob: undefined },
    event: upgradeEvents.expanded({ ...upgrade }),
  });
}

/** Moves data to where the new release looks for it; the old one goes on serving. */
export async function migrate(upgrade: Upgrade, context: DatabaseContext): Promise<DatabaseOutcome> {
  const { object: keystone } = context;
  const serving = { image: imageOf(keystone, upgrade.from) };
  const job = phaseJob(keystone, 'migrate', jobInputs(context));
  const unfinished = await runPhase('migrate', job, upgrade, context);
  if (unfinished !== undefined) return degraded(unfinished.statement, { ...unfinished.extras, output: serving });
  return degraded(databaseReady.migrated({ ...upgrade }), {
    output: serving,
    status: { upgradePhase: 'RollingUpdate', failedDatabaseJob: undefined },
    event: upgradeEvents.migrated({ ...upgrade }),
  });
}

/** Waits until pods of the new release alone are left, those that drain included. */
export async function rollOut(upgrade: Upgrade, context: DatabaseContext): Promise<DatabaseOutcome> {
  const output = { image: imageOf(context.object, upgrade.to) };
  if (!(await isRolloutComplete(output.image, context)))
    return degraded(databaseReady.rollingOut({ ...upgrade }), { output });
  await context.event(upgradeEvents.rolledOut({ ...upgrade }));
  return degraded(databaseReady.rolledOut({ ...upgrade }), { output, status: { upgradePhase: 'Contracting' } });
}

/** Takes away from the schema what only the old release used, and ends the upgrade. */
export async function contractSchema(upgrade: Upgrade, context: DatabaseContext): Promise<DatabaseOutcome> {
  const { object: keystone } = context;
  // Before the Job, which somebody may delete.
  if (keystone.status?.contractedRelease === undefined) return checkpoint({ contractedRelease: upgrade.to });
  const serving = { image: imageOf(keystone, upgrade.to) };
  const job = phaseJob(keystone, 'contract', jobInputs(context));
  const unfinished = await runPhase('contract', job, upgrade, context);
  if (unfinished !== undefined) return degraded(unfinished.statement, { ...unfinished.extras, output: serving });
  return ready(databaseReady.upgraded({ ...upgrade }), {
    output: serving,
    status: { ...noUpgrade, installedRelease: upgrade.to, expandedRelease: undefined, failedDatabaseJob: undefined },
    event: upgradeEvents.upgraded({ ...upgrade }),
  });
}

const cases = {
  expand: { running: databaseReady.expanding, failed: databaseReady.expandFailed, event: upgradeEvents.expandFailed },
  migrate: {
    running: databaseReady.migrating,
    failed: databaseReady.migrateFailed,
    event: upgradeEvents.migrateFailed,
  },
  contract: {
    running: databaseReady.contracting,
    failed: databaseReady.contractFailed,
    event: upgradeEvents.contractFailed,
  },
};

interface PhaseExtras {
  event?: EventNote;
  status?: { failedDatabaseJob: FailedRun | undefined };
}

/** Runs the Job of a phase; nothing once it is complete. */
async function runPhase(
  phase: SchemaPhase,
  job: Job,
  upgrade: Upgrade,
  context: DatabaseContext,
): Promise<{ statement: Statement; extras: PhaseExtras } | undefined> {
  const { state, problem, failed: failedDatabaseJob } = await runDatabaseJob(job, `db-${phase}`, context);
  if (state === 'complete') return undefined;
  const { running, failed, event } = cases[phase];
  if (state === 'running') return { statement: running({ ...upgrade }, problem), extras: {} };
  const values = { job: job.metadata.name, error: failureOf(context.object, job) };
  return { statement: failed(values, problem), extras: { event: event(values), status: { failedDatabaseJob } } };
}
