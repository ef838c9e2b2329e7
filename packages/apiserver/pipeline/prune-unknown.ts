// SPDX-License-Identifier: Apache-2.0
import type { KubeObject } from '@forge/kube/object.ts';
import { prune } from '@forge/kube/prune.ts';
import { badRequest } from '../refusal.ts';
import type { Write } from './write.ts';

/** Drops fields the kind does not know; as the writer wants, those and fields named twice are refused, told, or silently so. */
export function pruneUnknown({
  resource: { kind },
  object,
  duplicates,
  fieldValidation,
  applied,
  warn,
}: Write): KubeObject {
  // Server-side apply has read every field by the schema.
  if (applied) return object;
  const { object: pruned, dropped } = prune(object, kind.schema);
  const problems = [
    ...duplicates.map((field) => `duplicate field "${field}"`),
    ...dropped.map((field) => `unknown field "${field}"`),
  ];
  if (problems.length > 0 && fieldValidation === 'Strict') {
    throw badRequest(
      `${kind.kind} in version "${kind.version}" cannot be handled as a ${kind.kind}: strict decoding error: ${problems.join(', ')}`,
    );
  }
  if (fieldValidation === 'Warn') problems.forEach((problem) => warn(problem));
  return pruned;
}
