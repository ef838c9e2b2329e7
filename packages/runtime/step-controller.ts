// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kind.ts';
import { refOf } from '@forge/kube/object.ts';
import { checkSteps } from './check-steps.ts';
import { watch, type Controller, type Watch } from './controller.ts';
import { stepPass } from './step-pass.ts';
import type { Reads, Step, StepResource } from './step.ts';

/** What makes a step list a controller. */
export interface StepControllerOptions<T extends StepResource, S> {
  /** Names it in logs and as the source of its Events: `keystone-controller`. */
  name: string;
  for: Kind<T>;
  /** Every step, each once; the order decides only whose text a shared condition shows. */
  steps: readonly Step<T, S>[];
  services: S;
  /** Who the API server remembers as the owner of the fields we apply. */
  fieldManager: string;
  /** What wakes a resource besides what its steps own and read. */
  watches?: readonly Watch[];
  workers?: number;
}

/** The controller that a step list describes: it watches what the steps own and read, and speaks for their conditions. */
export function stepController<T extends StepResource, S>(options: StepControllerOptions<T, S>): Controller {
  const { name, for: kind, steps, services, fieldManager, workers, watches = [] } = options;
  checkSteps(kind, steps);
  const pass = stepPass({ kind, steps, services, fieldManager });

  return {
    name,
    for: kind,
    owns: [...new Set(steps.flatMap(({ owns }) => owns))],
    watches: [...steps.flatMap(({ reads }) => reads).map((read) => watchOf(kind, read, services)), ...watches],
    fieldManager,
    ...(workers !== undefined && { workers }),

    async reconcile(ref, context) {
      const object = context.cache.get(kind, ref);
      if (object === undefined || object.metadata.deletionTimestamp !== undefined) return undefined;
      return await pass(object, context);
    },
  };
}

/** Wakes the resources that name the object which a step reads. */
function watchOf<T extends StepResource, S>(kind: Kind<T>, read: Reads<T, S>, services: S): Watch {
  return watch(
    read.kind,
    ({ metadata: { name, namespace } }, { cache }) =>
      cache
        .list(kind, { namespace })
        .filter((resource) => read.names(resource, services).includes(name))
        .map(refOf),
    { predicate: (change) => read.predicate(change) },
  );
}
