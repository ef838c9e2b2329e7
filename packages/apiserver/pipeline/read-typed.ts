// SPDX-License-Identifier: Apache-2.0
import type { KubeObject } from '@forge/kube/objects/object.ts';
import type { Schema } from '@forge/kube/schema/schema.ts';
import { validate } from '@forge/kube/schema/validate.ts';
import type { WriteStep } from '../context/write.ts';
import { decodeTyped } from '../encoding/decode-typed.ts';
import { badRequest } from '../request/status-errors.ts';
import { reportUnknownFields } from './prune-unknown.ts';

/** Only the metadata of a custom resource is read as a type; the rest is checked against its schema in the end. */
const metadataOnly: Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

/** Reads the object as its type, so that all later steps can rely on its shape. */
export const readTyped: WriteStep = (write) => {
  const { resource, object, applied } = write;
  const { kind, custom } = resource;
  const decoded = decodeTyped(object, kind, custom ? metadataOnly : kind.schema);
  if (!custom && !applied) reportUnknownFields(write, decoded.dropped);
  const problem = custom ? metadataProblem(decoded.object) : decoded.problem;
  if (problem === undefined) return decoded.object;
  throw badRequest(`${kind.kind} in version "${kind.version}" cannot be handled as a ${kind.kind}: ${problem}`);
};

function metadataProblem(object: KubeObject): string | undefined {
  const [error] = validate(object, metadataOnly);
  return error === undefined ? undefined : `${error.field}: ${error.message}`;
}
