// SPDX-License-Identifier: Apache-2.0
import type { KubeObject, ObjectMeta } from '@forge/kube/object.ts';
import { hasStatus } from '../resource.ts';
import type { WriteStep } from './write.ts';

type WithStatus = KubeObject & { status?: unknown };

/** Metadata that only the server writes; what a writer sends there is passed over. */
const serverFields: ReadonlySet<string> = new Set<keyof ObjectMeta>([
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'generation',
  'resourceVersion',
]);

/** Lets each writer touch its own part only: spec through the object, status through its subresource. */
export const isolate: WriteStep = ({ resource, subresource, before, object, applied }) => {
  const { status, ...withoutStatus }: WithStatus = object;
  const managedFields = applied ? object.metadata.managedFields : before?.metadata.managedFields;
  if (before === undefined) {
    const keepsStatus = !hasStatus(resource) || resource.strategy.bornWithStatus === true;
    return { ...(keepsStatus ? object : withoutStatus), metadata: protect(object.metadata, {}, managedFields) };
  }
  if (subresource === 'status') {
    const metadata = protect(before.metadata, before.metadata, managedFields);
    return { ...before, metadata, ...(status !== undefined && { status }) };
  }
  const metadata = protect(object.metadata, before.metadata, managedFields);
  const { status: kept }: WithStatus = before;
  const own = hasStatus(resource) ? { ...withoutStatus, ...(kept !== undefined && { status: kept }) } : object;
  const written = { ...own, metadata };
  // Only finalizing may take away what holds a namespace back.
  return subresource === 'finalize' ? written : (resource.strategy.keep?.(written, before) ?? written);
};

/** The writer's metadata with the server's own fields as they were. */
function protect(
  written: ObjectMeta,
  before: Partial<ObjectMeta>,
  managedFields: ObjectMeta['managedFields'],
): ObjectMeta {
  const metadata = {
    ...Object.fromEntries(Object.entries(written).filter(([field]) => !serverFields.has(field))),
    ...Object.fromEntries(Object.entries(before).filter(([field]) => serverFields.has(field))),
  };
  const { managedFields: _, ...rest } = metadata as ObjectMeta;
  return managedFields === undefined ? rest : { ...rest, managedFields };
}
