// SPDX-License-Identifier: Apache-2.0
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { prune } from '@forge/kube/schema/prune.ts';
import { badRequest } from '../messages/status-errors.ts';
import type { Write } from '../request/write.ts';

/** Prunes unknown fields of custom resources; built-in kinds lose theirs when they are decoded. */
export function pruneUnknown(write: Write): KubeObject {
  const { resource, object, applied } = write;
  // Server-side apply has already checked all fields.
  if (applied || !resource.custom) return object;
  const { object: pruned, dropped } = prune(object, resource.kind.schema);
  reportUnknownFields(write, dropped);
  return pruned;
}

/** Rejects, warns of or ignores unknown and duplicate fields, by the fieldValidation of the request. */
export function reportUnknownFields(
  { resource: { kind }, duplicates, fieldValidation, warn }: Write,
  dropped: readonly string[],
): void {
  if (duplicates.length + dropped.length === 0) return;
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
}
