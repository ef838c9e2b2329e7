// SPDX-License-Identifier: Apache-2.0
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { decodeObject } from '../encoding/decode-body.ts';
import { writeOptionsOf } from '../matching/admission-attributes.ts';
import { isLarge } from '../messages/large-body.ts';
import { jsonPayload } from '../messages/payload.ts';
import type { ServerResponse } from '../messages/server-request.ts';
import { prepareReview } from '../pipeline/pipeline.ts';
import type { ResourceRequest } from '../request/resource-request.ts';
import type { ServerContext } from '../request/server-context.ts';
import { checkWriteOptions, isDryRun } from '../request/write-options.ts';
import { writeOf } from '../verbs/write-request.ts';
import { admitRequest } from '../webhooks/admit-request.ts';

/** Decodes and admits a review, by default as an object of the request's resource. */
export async function readReview<T extends KubeObject>(
  server: ServerContext,
  request: ResourceRequest,
  as = request.resource,
): Promise<T> {
  const { query } = request;
  checkWriteOptions('create', query);
  const { size, ...sent } = await decodeObject(request, as);
  const target = { resource: as, name: '', before: undefined };
  const write = { ...writeOf(request), ...target, ...sent, applied: false, isLarge: isLarge(size) };
  const review = await prepareReview(write, server);
  const { group, version, kind } = as.kind;
  await admitRequest(server, request, () => ({
    operation: 'CREATE',
    kind: { group, version, kind },
    object: review,
    before: undefined,
    dryRun: isDryRun(query),
    options: () => writeOptionsOf('CreateOptions', query),
  }));
  // A review may carry a uid, which stored objects cannot.
  const { uid } = sent.object.metadata;
  return (uid === undefined ? review : { ...review, metadata: { ...review.metadata, uid } }) as T;
}

/** The response to a review. */
export function reviewResponse(review: KubeObject): ServerResponse {
  return { status: 201, payload: jsonPayload(review) };
}
