// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kind.ts';
import { refOf } from '@forge/kube/object.ts';
import { watch, type Controller, type Watch } from '../controller.ts';
import type { Index } from '../object-index.ts';
import { accessOf } from './access-of.ts';
import { checkSteps } from './check-steps.ts';
import type { DeletionStep } from './deletion-step.ts';
import { stepPass } from './step-pass.ts';
import type { Reads, Step, StepResource } from './step.ts';

/** What makes a step list a controller. */
export interface StepControllerOptions<T extends StepResource, S> {
  /** Names it in logs and as the source of its Events: `keystone-controller`. */
  name: string;
  for: Kind<T>;
  /** Every step, each once; the order decides only whose text a shared condition shows. */
  steps: readonly Step<T, S>[];
  /** What must happen before a resource may go: each step holds it by a finalizer of its own. Default: nothing. */
  deletion?: readonly DeletionStep<T, S>[];
  services: S;
  /** Who the API server remembers as the owner of the fields we apply. */
  fieldManager: string;
  /** What the names of the steps' metrics begin with: `keystone_operator`. */
  metricPrefix: string;
  /** What wakes a resource besides what its steps own and read. */
  watches?: readonly Watch[];
  workers?: number;
}

/** The controller that a step list describes: it watches what the steps own and read, and speaks for their conditions. */
export function stepController<T extends StepResource, S>(options: StepControllerOptions<T, S>): Controller {
  const {
    name,
    for: kind,
    steps,
    deletion = [],
    services,
    fieldManager,
    metricPrefix,
    workers,
    watches = [],
  } = options;
  const all = [...steps, ...deletion];
  checkSteps(kind, all);
  const pass = stepPass({ kind, steps, deletion, services, fieldManager, metricPrefix });

  return {
    name,
    for: kind,
    owns: [...new Set(all.flatMap(({ owns }) => owns.map((owned) => owned.kind)))],
    watches: [...all.flatMap(({ reads }) => reads).map((read) => watchOf(kind, read, services)), ...watches],
    fieldManager,
    access: accessOf(kind, steps, deletion),
    ...(workers !== undefined && { workers }),

    async reconcile(ref, context) {
      const object = context.cache.get(kind, ref);
      return object === undefined ? undefined : await pass(object, context);
    },
  };
}

/** Wakes the resources that name the object which a step reads. */
function watchOf<T extends StepResource, S>(kind: Kind<T>, read: Reads<T, S>, services: S): Watch {
  const index: Index<T> = { valuesOf: (resource) => read.names(resource, services) };
  return watch(
    read.kind,
    ({ metadata: { name, namespace } }, { cache }) =>
      cache.list(kind, { namespace, where: { index, value: name } }).map(refOf),
    { predicate: (change) => read.predicate(change) },
  );
}
