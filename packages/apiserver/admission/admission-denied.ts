// SPDX-License-Identifier: Apache-2.0
import type { Status } from '@forge/kube/errors/api-error.ts';
import { forbidden } from '../messages/status-errors.ts';
import type { Write } from '../request/write.ts';

/** Forbidden by admission; an object with generateName has no name yet. */
export function admissionDenied(
  { resource, object }: Pick<Write, 'resource' | 'object'>,
  why: string,
  causes?: NonNullable<Status['details']>['causes'],
): Error {
  const { name, generateName } = object.metadata;
  return forbidden(resource.kind, [name, generateName].find(Boolean) ?? 'Unknown', why, causes);
}
