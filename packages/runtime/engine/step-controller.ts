// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { refOf } from '@forge/kube/objects/object.ts';
import type { Index } from '../cache/object-index.ts';
import { defaultReady, type ReadyTexts } from '../conditions/condition-catalog.ts';
import { watch, type Watch } from '../controller/controller.ts';
import { resourceMetrics, type ResourceMetrics } from '../observability/resource-metrics.ts';
import { ReconcileError } from '../queue/reconcile-error.ts';
import type { DeletionStep } from '../steps/deletion-step.ts';
import type { Reads } from '../steps/reads.ts';
import type { Services, Step, StepResource } from '../steps/step.ts';
import { accessOf } from './access-of.ts';
import { checkSteps } from './check-steps.ts';
import { seenByResource } from './context/seen-states.ts';
import type { StepController } from './declared-steps.ts';
import { passMetrics } from './pass-metrics.ts';
import { managerOf, stepPass, type Guards } from './pass.ts';
import { faultsOf } from './requeue.ts';

/** The options of a step controller. */
export interface StepControllerOptions<T extends StepResource, S extends Services> {
  /** Its name in logs and as the source of Events: `keystone-controller`. */
  name: string;
  for: Kind<T>;
  /** Every step, each once; the order only decides which step determines a shared condition. */
  steps: readonly Step<T, S>[];
  /** What must happen before a resource is deleted: each step has its own finalizer. Default: nothing. */
  deletion?: readonly DeletionStep<T, S>[];
  /** Steps that may end a pass before the others. Default: none. */
  guards?: Guards<T, S>;
  /** The last step of every pass that runs the steps. Default: none. */
  summary?: Step<T, S>;
  services: S;
  /** The texts of Ready. Default: `defaultReady`. */
  ready?: ReadyTexts;
  /** The field manager of server-side apply; a part's name is appended to it. */
  fieldManager: string;
  /** The prefix of the steps' metrics: `keystone_operator`. */
  metricPrefix: string;
  /** The prefix of the metrics of passes by resource: `openbao`. Default: there are none. */
  resourceMetricPrefix?: string;
  /** Watches besides those of what the steps own and read. */
  watches?: readonly Watch[];
  workers?: number;
}

/** All steps that the controller may run. */
function allSteps<T extends StepResource, S extends Services>(
  options: Pick<StepControllerOptions<T, S>, 'steps' | 'deletion' | 'guards' | 'summary'>,
): Step<T, S>[] {
  const { steps, deletion = [], guards = {}, summary } = options;
  const { beforeFinalizers, afterFinalizers } = guards;
  return [beforeFinalizers, afterFinalizers, ...steps, summary, ...deletion].filter((step) => step !== undefined);
}

/** A controller from a step list: it watches what the steps own and read, and writes their conditions. */
export function stepController<T extends StepResource, S extends Services>(
  options: StepControllerOptions<T, S>,
): StepController {
  const { name, for: kind, steps, deletion = [], guards = {}, summary, services, ready = defaultReady } = options;
  const { fieldManager, metricPrefix, resourceMetricPrefix, workers, watches = [] } = options;
  const all = allSteps(options);
  checkSteps(kind, { steps, deletion, guards, summary, ready });
  const pass = stepPass({ kind, steps, deletion, guards, summary, services, ready, fieldManager, metricPrefix });
  const owned = all.flatMap(({ owns }) => owns);
  const measure = passMetrics(resourceMetricPrefix, name);
  let metrics: ResourceMetrics | undefined;
  const seen = seenByResource();

  return {
    name,
    for: kind,
    owns: owned.map((each) => ({ ...each, labels: each.selector?.text, ownedOnly: true })),
    watches: [
      ...all.flatMap(({ reads }) => reads.filter(({ live }) => !live)).map((read) => watchOf(kind, read, services)),
      ...watches,
    ],
    fieldManagers: [...new Set([undefined, ...owned.map(({ part }) => part)])].map((part) =>
      managerOf(fieldManager, part),
    ),
    access: accessOf(kind, all),
    declared: {
      guards: [guards.beforeFinalizers, guards.afterFinalizers].filter((guard) => guard !== undefined),
      steps,
      summary,
      deletion,
    },
    ...(workers !== undefined && { workers }),

    async reconcile(ref, context) {
      metrics ??= resourceMetrics(context.metrics);
      const object = context.cache.get(kind, ref);
      if (object === undefined) {
        metrics.drop(ref);
        seen.drop(ref);
        return undefined;
      }
      const { uid } = object.metadata;
      const own = metrics.of(ref, uid);
      return await measure(ref, { clock: context.clock, metrics: own }, async () => {
        const report = await pass(object, {
          reconcile: () => context,
          act: (_step, _description, call) => call(services.acting),
          actUnlessPlanned: (_step, _description, call) => call(services.acting),
          metrics: own,
          seen: seen.of(ref, uid),
        });
        const faults = [...faultsOf(report.results), ...report.errors];
        if (faults.length > 0) throw new ReconcileError(faults, report.recheck);
        return report.recheck;
      });
    },
  };
}

/** Enqueues the resources that read the object. */
function watchOf<T extends StepResource, S extends Services>(kind: Kind<T>, read: Reads<T, S>, services: S): Watch {
  const index: Index<T> = { valuesOf: (resource) => read.wanted(resource, services.reading) };
  return watch(
    read.kind,
    (object, { cache }) =>
      read.index.valuesOf(object).flatMap((value) => cache.list(kind, { where: { index, value } }).map(refOf)),
    {
      ...read.watched,
      predicate: (change) => read.predicate(change),
      // An index over the content needs the content of all objects.
      ...(read.by !== 'index' && {
        lookup: { index: read.index, wanted: (resource) => index.valuesOf(resource as T) },
      }),
    },
  );
}
