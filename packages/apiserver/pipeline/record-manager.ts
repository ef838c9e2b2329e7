// SPDX-License-Identifier: Apache-2.0
import { withField } from '@forge/kube/objects/json.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { withoutManagers } from '@forge/kube/patch/managers.ts';
import { trackUpdate } from '@forge/kube/patch/track-update.ts';
import { timestamp } from '@forge/runtime/environment/clock.ts';
import type { WriteStep } from '../request/write.ts';

/** Updates managedFields after an ordinary write; server-side apply has already done so. */
export const recordManager: WriteStep = ({ resource, subresource, object, before, manager, applied }, { clock }) => {
  if (resource.strategy.skipsManagedFields === true) return withoutManagers(object);
  if (applied) return object;
  // A status set on create has no manager.
  const { status }: KubeObject & { status?: unknown } = object;
  const isStatusUnmanaged =
    status !== undefined && before === undefined && resource.strategy.keepsStatusOnCreate === true;
  const tracked = trackUpdate({
    before,
    after: isStatusUnmanaged ? withField(object, 'status', undefined) : object,
    schema: resource.kind.schema,
    manager,
    time: timestamp(clock),
    ...(subresource !== undefined && { subresource }),
  });
  return isStatusUnmanaged ? withField(tracked, 'status', status) : tracked;
};
