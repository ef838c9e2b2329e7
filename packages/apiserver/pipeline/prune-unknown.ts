// SPDX-License-Identifier: Apache-2.0
import type { KubeObject } from '@forge/kube/object.ts';
import { prune } from '@forge/kube/prune.ts';
import { badRequest } from '../refusal.ts';
import type { Write } from './write.ts';

/** Drops fields the kind does not know; depending on what the writer wants, that is refused, told, or done silently. */
export function pruneUnknown({
  resource: { kind },
  object,
  fieldValidation,
  warn,
}: Pick<Write, 'resource' | 'object' | 'fieldValidation' | 'warn'>): KubeObject {
  const { object: pruned, dropped } = prune(object, kind.schema);
  const problems = dropped.map((field) => `unknown field "${field}"`);
  if (problems.length > 0 && fieldValidation === 'Strict') {
    throw badRequest(
      `${kind.kind} in version "${kind.version}" cannot be handled as a ${kind.kind}: strict decoding error: ${problems.join(', ')}`,
    );
  }
  if (fieldValidation === 'Warn') problems.forEach((problem) => warn(problem));
  return pruned;
}
