// SPDX-License-Identifier: Apache-2.0
import { ready, waiting } from '@forge/runtime/steps/outcome.ts';
import { readsIndexed } from '@forge/runtime/steps/reads.ts';
import { ControlPlane } from '../api/control-plane.ts';
import { teardownFinalizer } from '../api/names.ts';
import type { Services } from '../clients/services.ts';
import { duplicateReady } from '../conditions/duplicate.ts';
import { step } from './step.ts';

const peers = readsIndexed<ControlPlane, Services, ControlPlane>(
  ControlPlane,
  {
    wanted: ({ metadata }) => [metadata.namespace ?? ''],
    valuesOf: ({ metadata }) => [metadata.namespace ?? ''],
  },
  // Status and spec of another one do not matter here.
  { predicate: ({ before, after }) => before === undefined || after === undefined || holds(before) !== holds(after) },
);

/** Guard: one ControlPlane owns its namespace; others are parked, and take over when it is gone. */
export const duplicate = step({
  name: 'Duplicate',
  conditions: ['Ready'],
  reads: [peers],
  async run({ object, select }) {
    const incumbent = incumbentOf(select(peers));
    if (incumbent === undefined || incumbent.metadata.uid === object.metadata.uid) return ready();
    const { name, namespace = '' } = incumbent.metadata;
    const parked = duplicateReady.parked({ incumbent: name, namespace });
    return waiting(parked, { conditions: { Ready: parked } });
  },
});

/** The owner is the ControlPlane with the finalizer, which has children; otherwise the oldest, or the first by name. */
export function incumbentOf(all: readonly ControlPlane[]): ControlPlane | undefined {
  return all.toSorted((a, b) => Number(holds(b)) - Number(holds(a)) || compare(ageOf(a), ageOf(b)))[0];
}

function ageOf({ metadata: { creationTimestamp = '', name } }: ControlPlane): string {
  return `${creationTimestamp} ${name}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function holds({ metadata: { finalizers = [] } }: ControlPlane): boolean {
  return finalizers.includes(teardownFinalizer);
}
