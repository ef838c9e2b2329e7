// SPDX-License-Identifier: Apache-2.0
import type { KubeObject } from '@forge/kube/objects/object.ts';
import type { Schema } from '@forge/kube/schema/schema.ts';
import { validate } from '@forge/kube/schema/validate.ts';
import { decodeTyped } from '../encoding/decode-typed.ts';
import { badRequest } from '../messages/status-errors.ts';
import type { WriteStep } from '../request/write.ts';
import { reportUnknownFields } from './prune-unknown.ts';

/** Only the metadata of custom resources is typed; the rest is validated by the schema later. */
const metadataOnly: Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

/** Decodes the object as its type, so that later steps can rely on its structure. */
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
