// SPDX-License-Identifier: Apache-2.0
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { writeOptionsOf } from '../admission/webhooks/admission-attributes.ts';
import { admitRequest } from '../admission/webhooks/admit-request.ts';
import type { ResourceRequest } from '../context/resource-request.ts';
import type { ServerContext } from '../context/server-context.ts';
import { checkWriteOptions, isDryRun } from '../context/write-options.ts';
import { decodeObject } from '../encoding/decode-body.ts';
import { prepareReview } from '../pipeline/pipeline.ts';
import { jsonPayload } from '../request/payload.ts';
import type { ServerResponse } from '../request/server-request.ts';
import { writeOf } from '../verbs/write-request.ts';

/** Decodes and admits a review, as an object of the request's resource unless given. */
export async function readReview<T extends KubeObject>(
  server: ServerContext,
  request: ResourceRequest,
  as = request.resource,
): Promise<T> {
  const { body, headers, query } = request;
  checkWriteOptions('create', query);
  const sent = await decodeObject(body, headers['content-type'], as);
  const write = { ...writeOf(request), resource: as, name: '', before: undefined, applied: false, ...sent };
  const review = await prepareReview(write, server);
  const { group, version, kind } = as.kind;
  await admitRequest(server, request, () => ({
    operation: 'CREATE',
    kind: { group, version, kind },
    object: review,
    before: undefined,
    dryRun: isDryRun(query),
    options: writeOptionsOf('CreateOptions', query),
  }));
  // A review may carry a uid, which stored objects cannot.
  const { uid } = sent.object.metadata;
  return (uid === undefined ? review : { ...review, metadata: { ...review.metadata, uid } }) as T;
}

/** The response to a review. */
export function reviewResponse(review: KubeObject): ServerResponse {
  return { status: 201, payload: jsonPayload(review) };
}
