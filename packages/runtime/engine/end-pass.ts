// SPDX-License-Identifier: Apache-2.0
import { refOf } from '@forge/kube/objects/object.ts';
import type { BoundedMap } from '../collections/bounded-map.ts';
import type { ReadyTexts } from '../conditions/condition-catalog.ts';
import { releaseObject } from '../controller/finalizers.ts';
import type { Duration } from '../environment/duration.ts';
import { StaleCacheError } from '../queue/reconcile-error.ts';
import type { Services, Step, StepResource } from '../steps/step.ts';
import type { PassContext } from './context/build-step-context.ts';
import { hasFinished, latestOf, passStatus, saveStatus, type PassStatus } from './pass-status.ts';
import type { RecordEvents } from './record-events.ts';
import { shortestRecheck } from './requeue.ts';
import type { StepResult } from './run-steps.ts';

/** A pass as far as its end is concerned. */
export interface EndingPass<T extends StepResource, S extends Services> extends Pick<
  PassContext<T, S>,
  'kind' | 'object' | 'reconcile'
> {
  readonly ready: ReadyTexts;
  readonly recordEvents: RecordEvents;
  /** By uid, the resources whose finalizers may be released although the reply did not arrive. */
  readonly unansweredReleases: BoundedMap<true>;
}

/** The results of the steps that ran or were skipped, in list order. */
export type Results<T extends StepResource, S extends Services> = ReadonlyMap<Step<T, S>, StepResult>;

/** The result of a pass. */
export interface PassReport<T extends StepResource, S extends Services> {
  readonly results: Results<T, S>;
  /** Why status could not be saved, or finalizers could not be removed. */
  readonly errors: readonly unknown[];
  readonly recheck: Duration | undefined;
}

/** Sends Events, saves status and releases finalizers; `sources` are the steps whose conditions Ready aggregates. */
export async function endPass<T extends StepResource, S extends Services>(
  pass: EndingPass<T, S>,
  results: Results<T, S>,
  sources: readonly Step<T, S>[],
): Promise<PassReport<T, S>> {
  const errors: unknown[] = [];
  await save(pass, results, sources).catch((error: unknown) => errors.push(error));
  await releaseFinalizers(pass, results).catch((error: unknown) => errors.push(error));
  return { results, errors, recheck: shortestRecheck(results.values()) };
}

/** The status that results from the steps; undefined when the resource was deleted or replaced since the pass started. */
export function statusAfter<T extends StepResource, S extends Services>(
  { kind, object, reconcile, ready }: EndingPass<T, S>,
  results: Results<T, S>,
  sources: readonly Step<T, S>[],
): (PassStatus<Step<T, S>> & { latest: T }) | undefined {
  const context = reconcile('status');
  const latest = latestOf(kind, object, context);
  return latest && { latest, ...passStatus({ kind, object, latest, results, sources, ready }, context) };
}

async function save<T extends StepResource, S extends Services>(
  pass: EndingPass<T, S>,
  results: Results<T, S>,
  sources: readonly Step<T, S>[],
): Promise<void> {
  const status = statusAfter(pass, results, sources);
  if (status === undefined) return;
  const reconcile = pass.reconcile('status');
  await pass.recordEvents(pass.object, status, results, reconcile);
  await saveStatus(pass.kind, status.latest, status, results, reconcile);
}

/** Removes the finalizers whose steps are ready. */
async function releaseFinalizers<T extends StepResource, S extends Services>(
  pass: EndingPass<T, S>,
  results: Results<T, S>,
): Promise<void> {
  const { kind, object } = pass;
  const finished = [...results].flatMap(([step, result]) => (hasFinished(step, result) ? [step.finalizer] : []));
  const reconcile = pass.reconcile('finalizers');
  const latest = reconcile.cache.get(kind, object.metadata);
  const { uid = '' } = object.metadata;
  if (finished.length === 0 || latest === undefined || latest.metadata.uid !== uid) return;
  pass.unansweredReleases.set(uid, true);
  await releaseObject(kind, latest, { finalizers: (each) => finished.includes(each) }, reconcile);
  pass.unansweredReleases.delete(uid);
}

/**
 * Before deletion steps run again: checks live that a release without a reply had no effect. What it released may be gone, and
 * what depended on it would look as if somebody had orphaned it.
 */
export async function ensureNotReleased<T extends StepResource, S extends Services>({
  kind,
  object,
  reconcile,
  unansweredReleases,
}: EndingPass<T, S>): Promise<void> {
  const { uid = '', name, resourceVersion } = object.metadata;
  if (unansweredReleases.get(uid) === undefined) return;
  const { client, signal } = reconcile('finalizers');
  const live = await client.find(kind, refOf(object), { signal });
  if (live?.metadata.resourceVersion !== resourceVersion)
    throw new StaleCacheError(
      `finalizers of ${kind.kind} ${name} were released, which the watch has not delivered yet`,
    );
}
