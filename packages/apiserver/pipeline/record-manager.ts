// SPDX-License-Identifier: Apache-2.0
import { trackUpdate } from '@forge/kube/patch/apply.ts';
import { timestamp } from '@forge/runtime/clock.ts';
import type { WriteStep } from './write.ts';

/** Keeps managedFields true after an ordinary write; server-side apply has done so itself. */
export const recordManager: WriteStep = ({ resource, subresource, object, before, manager, applied }, { clock }) => {
  if (applied) return object;
  return trackUpdate({
    before,
    after: object,
    schema: resource.kind.schema,
    manager,
    time: timestamp(clock),
    ...(subresource !== undefined && { subresource }),
  });
};
