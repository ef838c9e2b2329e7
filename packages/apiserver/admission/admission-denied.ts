// SPDX-License-Identifier: Apache-2.0
import type { Status } from '@forge/kube/errors/api-error.ts';
import type { Write } from '../context/write.ts';
import { forbidden } from '../request/status-errors.ts';

/** What a gate says to an object that may not pass; one that leaves its name to the server has none yet. */
export function admissionDenied(
  { resource, object }: Pick<Write, 'resource' | 'object'>,
  why: string,
  causes?: NonNullable<Status['details']>['causes'],
): Error {
  const { name, generateName } = object.metadata;
  return forbidden(resource.kind, [name, generateName].find(Boolean) ?? 'Unknown', why, causes);
}
