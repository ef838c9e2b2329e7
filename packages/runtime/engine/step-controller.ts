// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { refOf } from '@forge/kube/objects/object.ts';
import type { Index } from '../cache/object-index.ts';
import { defaultReady, type ReadyTexts } from '../contract/contract.ts';
import { watch, type Controller, type ReconcileContext, type Watch } from '../controller/controller.ts';
import { resourceMetrics, type ResourceMetrics } from '../metrics/resource-metrics.ts';
import { ReconcileError } from '../queue/reconcile-error.ts';
import type { DeletionStep } from '../steps/deletion-step.ts';
import type { Reads } from '../steps/reads.ts';
import type { Services, Step, StepResource } from '../steps/step.ts';
import { accessOf } from './access-of.ts';
import { checkSteps } from './check-steps.ts';
import { faultsOf, managerOf, stepPass, type Guards, type PassMode } from './pass.ts';

/** What makes a step list a controller. */
export interface StepControllerOptions<T extends StepResource, S extends Services> {
  /** Names it in logs and as the source of its Events: `keystone-controller`. */
  name: string;
  for: Kind<T>;
  /** Every step, each once; the order decides only whose text a shared condition shows. */
  steps: readonly Step<T, S>[];
  /** What must happen before a resource may go: each step holds it by a finalizer of its own. Default: nothing. */
  deletion?: readonly DeletionStep<T, S>[];
  /** What may end a pass before its steps. Default: nothing. */
  guards?: Guards<T, S>;
  /** The last step of every pass that runs the steps. Default: none. */
  summary?: Step<T, S>;
  services: S;
  /** What Ready says. Default: `defaultReady`. */
  ready?: ReadyTexts;
  /** Who the API server remembers as the owner of the fields we apply; a part has its name as a suffix. */
  fieldManager: string;
  /** What the names of the steps' metrics begin with: `keystone_operator`. */
  metricPrefix: string;
  /** What wakes a resource besides what its steps own and read. */
  watches?: readonly Watch[];
  workers?: number;
}

/** All that a controller of steps may run. */
function allSteps<T extends StepResource, S extends Services>(
  options: Pick<StepControllerOptions<T, S>, 'steps' | 'deletion' | 'guards' | 'summary'>,
): Step<T, S>[] {
  const { steps, deletion = [], guards = {}, summary } = options;
  const { beforeFinalizers, afterFinalizers } = guards;
  return [beforeFinalizers, afterFinalizers, ...steps, summary, ...deletion].filter((step) => step !== undefined);
}

/** The controller that a step list describes: it watches what the steps own and read, and speaks for their conditions. */
export function stepController<T extends StepResource, S extends Services>(
  options: StepControllerOptions<T, S>,
): Controller {
  const { name, for: kind, steps, deletion = [], guards = {}, summary, services, ready = defaultReady } = options;
  const { fieldManager, metricPrefix, workers, watches = [] } = options;
  const all = allSteps(options);
  checkSteps(kind, { steps, deletion, guards, summary, ready });
  const pass = stepPass({ kind, steps, deletion, guards, summary, services, ready, fieldManager, metricPrefix });
  const owned = all.flatMap(({ owns }) => owns);
  let metrics: ResourceMetrics | undefined;

  return {
    name,
    for: kind,
    owns: owned.map((each) => ({ ...each, ownedOnly: true })),
    watches: [
      ...all.flatMap(({ reads }) => reads.filter(({ live }) => !live)).map((read) => watchOf(kind, read, services)),
      ...watches,
    ],
    fieldManagers: [...new Set([undefined, ...owned.map(({ part }) => part)])].map((part) =>
      managerOf(fieldManager, part),
    ),
    access: accessOf(kind, all),
    ...(workers !== undefined && { workers }),

    async reconcile(ref, context) {
      metrics ??= resourceMetrics(context.metrics);
      const object = context.cache.get(kind, ref);
      if (object === undefined) {
        metrics.drop(ref);
        return undefined;
      }
      const report = await pass(object, realMode(services, context, metrics.of(ref, object.metadata.uid)));
      const faults = faultsOf(report);
      if (faults.length > 0) throw new ReconcileError(faults, report.recheck);
      return report.recheck;
    },
  };
}

function realMode<S extends Services>(
  services: S,
  context: ReconcileContext,
  metrics: PassMode<S>['metrics'],
): PassMode<S> {
  return { reconcile: () => context, act: (_step, _description, call) => call(services.acting), metrics };
}

/** Wakes the resources that look for the object which a step reads. */
function watchOf<T extends StepResource, S extends Services>(kind: Kind<T>, read: Reads<T, S>, services: S): Watch {
  const index: Index<T> = { valuesOf: (resource) => read.wanted(resource, services.reading) };
  return watch(
    read.kind,
    (object, { cache }) =>
      read.index.valuesOf(object).flatMap((value) => cache.list(kind, { where: { index, value } }).map(refOf)),
    {
      predicate: (change) => read.predicate(change),
      // What is found by its content must be there to be found.
      ...(read.by !== 'index' && {
        lookup: { index: read.index, wanted: (resource) => index.valuesOf(resource as T) },
      }),
    },
  );
}
