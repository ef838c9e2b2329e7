// SPDX-License-Identifier: Apache-2.0
import { refOf, type KubeObject, type ObjectRef } from '@forge/kube/object.ts';
import type { Backoff } from './backoff.ts';
import { brake } from './brake.ts';
import type { SharedCache } from './cache.ts';
import { statesOf, type Change } from './change.ts';
import { controllerMeter } from './controller-meter.ts';
import type { Controller, Reconcile, Watch } from './controller.ts';
import { seconds, type Duration } from './duration.ts';
import { keyOf, refFrom } from './object-key.ts';
import { controllerOf } from './owner-reference.ts';
import { queueMeter } from './queue-meter.ts';
import { queue } from './queue.ts';
import { isOrdinary, ReconcileError, retryAfter } from './reconcile-error.ts';

const defaultWorkers = 4;
/** How long a key rests that is woken too often. */
const braked = seconds(1);

/** A controller whose watches fill its queue. */
export interface RunningController {
  /** Starts the workers. */
  start(): void;
  /** Takes no new work; resolves when the running reconciliations have ended. */
  drain(): Promise<void>;
}

/** Connects a controller to the cache; its workers wait until they are started. */
export function runController(
  controller: Controller,
  context: Reconcile & { cache: SharedCache },
  { resync, backoff }: { resync: Duration; backoff: Backoff | undefined },
): RunningController {
  const { cache, clock, random, log, metrics, tracing } = context;
  const { name, workers = defaultWorkers } = controller;
  const keys = queue({ clock, random, backoff, meter: queueMeter(metrics, name) });
  const measure = controllerMeter(context, name, workers);
  const isTooMuch = brake(clock);
  const working: Promise<void>[] = [];
  let cancelResync: (() => void) | undefined;

  /** Looks at a key again; one that wants it at once, and too often, would leave no turn to anything else. */
  function lookAgain(key: string, recheck: Duration): void {
    keys.addAfter(key, recheck <= 0 && isTooMuch(key) ? braked : recheck);
  }

  // Until the workers run, the watches tell what was there before; from then on, what somebody just did.
  function wake(refs: readonly ObjectRef[]): void {
    const urgency = working.length === 0 ? 'routine' : 'urgent';
    // Old and new state mostly concern the same ones; told twice, they would be reconciled twice.
    for (const key of new Set(refs.map(keyOf))) {
      if (isTooMuch(key)) keys.addAfter(key, braked);
      else keys.add(key, urgency);
    }
  }

  function ownerOf(object: KubeObject): ObjectRef | undefined {
    const { group, kind, scope } = controller.for;
    const owner = controllerOf(object);
    // The version may be another one: it is the same object under each.
    if (owner?.kind !== kind || groupOf(owner.apiVersion) !== group) return undefined;
    return { namespace: scope === 'Namespaced' ? object.metadata.namespace : undefined, name: owner.name };
  }

  function concerned(watch: Watch, change: Change): readonly ObjectRef[] {
    try {
      return watch.predicate(change) ? statesOf(change).flatMap((object) => watch.map(object, { cache })) : [];
    } catch (error) {
      log.error('a watch cannot tell whom a change concerns', { kind: watch.kind.kind, error });
      return [];
    }
  }

  cache.open(controller.for).onChange((change) => wake(statesOf(change).map(refOf)));
  for (const kind of controller.owns ?? []) {
    cache.open(kind).onChange((change) => {
      wake(
        statesOf(change)
          .map(ownerOf)
          .filter((owner) => owner !== undefined),
      );
    });
  }
  for (const watch of controller.watches ?? []) {
    cache.open(watch.kind, watch).onChange((change) => wake(concerned(watch, change)));
  }

  function followed(ref: ObjectRef, pass: () => Promise<Duration | undefined>): Promise<Duration | undefined> {
    if (tracing === undefined) return measure(pass);
    const facts = { controller: name, kind: controller.for.kind, namespace: ref.namespace ?? '', name: ref.name };
    return tracing.span('reconcile', facts, () => measure(pass));
  }

  async function reconcile(key: string): Promise<void> {
    const ref = refFrom(key);
    const objectLog = log.with({ ...ref });
    try {
      const recheck = await followed(ref, () => controller.reconcile(ref, { ...context, log: objectLog }));
      keys.forget(key);
      if (recheck !== undefined) lookAgain(key, recheck);
    } catch (error) {
      const level = isOrdinary(error) ? 'info' : 'error';
      objectLog[level]('reconciliation failed, trying again', { error });
      keys.retry(key, retryAfter(error));
      if (error instanceof ReconcileError && error.recheck !== undefined) lookAgain(key, error.recheck);
    } finally {
      keys.done(key);
    }
  }

  async function work(): Promise<void> {
    for (let key = await keys.next(); key !== undefined; key = await keys.next()) {
      await reconcile(key);
      await clock.breathe?.();
    }
  }

  function resyncLater(): void {
    if (resync === 0) return;
    cancelResync = clock.after(resync, () => {
      for (const object of cache.list(controller.for)) keys.add(keyOf(refOf(object)), 'routine');
      resyncLater();
    });
  }

  return {
    start() {
      resyncLater();
      for (let count = 0; count < workers; count += 1) working.push(work());
    },

    async drain() {
      cancelResync?.();
      keys.close();
      await Promise.all(working);
    },
  };
}

function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash === -1 ? '' : apiVersion.slice(0, slash);
}
