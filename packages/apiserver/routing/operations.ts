// SPDX-License-Identifier: Apache-2.0
import type { Verb } from '../messages/request-info.ts';
import type { ServerResponse } from '../messages/server-request.ts';
import type { ResourceRequest } from '../request/resource-request.ts';
import type { ServerContext } from '../request/server-context.ts';
import { reviewSelfSubjectRules } from '../reviews/review-self-subject-rules.ts';
import { reviewSelfSubject } from '../reviews/review-self-subject.ts';
import {
  reviewSubjectAccess,
  reviewLocalSubjectAccess,
  reviewSelfSubjectAccess,
} from '../reviews/review-subject-access.ts';
import { reviewToken } from '../reviews/review-token.ts';
import { bindPod } from '../subresources/bind-pod.ts';
import { connectPod } from '../subresources/connect-pod.ts';
import { connectService } from '../subresources/connect-service.ts';
import { evictPod } from '../subresources/evict-pod.ts';
import { podLog } from '../subresources/pod-log.ts';
import { requestToken } from '../subresources/request-token.ts';
import { getScale, updateScale } from '../subresources/scale.ts';
import { createObject } from '../verbs/create.ts';
import { deleteCollection, deleteObject } from '../verbs/delete.ts';
import { patchObject } from '../verbs/patch.ts';
import { getObject, listObjects, watchObjects } from '../verbs/read.ts';
import { updateObject } from '../verbs/update.ts';

/** Handles a request for a resource. */
type Operation = (server: ServerContext, request: ResourceRequest) => ServerResponse | Promise<ServerResponse>;

type Operations = Partial<Record<Verb, Operation>>;

const objectOperations: Operations = {
  get: getObject,
  list: listObjects,
  watch: watchObjects,
  create: createObject,
  update: updateObject,
  patch: patchObject,
  delete: deleteObject,
  deletecollection: deleteCollection,
};

/** Namespaces have no deletecollection. */
const { deletecollection: _, ...namespaceOperations } = objectOperations;

const statusOperations: Operations = { get: getObject, update: updateObject, patch: patchObject };

const scaleOperations: Operations = { get: getScale, update: updateScale, patch: updateScale };

const proxyOperations: Operations = {
  get: connectService,
  create: connectService,
  update: connectService,
  patch: connectService,
  delete: connectService,
};

/** Reviews are never stored. */
const reviewOperations: Readonly<Record<string, Operations>> = {
  'tokenreviews.authentication.k8s.io': { create: reviewToken },
  'selfsubjectreviews.authentication.k8s.io': { create: reviewSelfSubject },
  'localsubjectaccessreviews.authorization.k8s.io': { create: reviewLocalSubjectAccess },
  'selfsubjectaccessreviews.authorization.k8s.io': { create: reviewSelfSubjectAccess },
  'selfsubjectrulesreviews.authorization.k8s.io': { create: reviewSelfSubjectRules },
  'subjectaccessreviews.authorization.k8s.io': { create: reviewSubjectAccess },
};

/** The operations of a resource or subresource by verb. */
export function operationsOf(
  { kind, name: resource }: ResourceRequest['resource'],
  subresource: string | undefined,
): Operations | undefined {
  switch (subresource) {
    case undefined:
      return resource === 'namespaces' ? namespaceOperations : (reviewOperations[resource] ?? objectOperations);
    case 'status':
      return kind.subresources.includes('status') ? statusOperations : undefined;
    case 'approval':
      return kind.kind === 'CertificateSigningRequest' ? statusOperations : undefined;
    case 'ephemeralcontainers':
      return resource === 'pods' ? statusOperations : undefined;
    case 'scale':
      return kind.subresources.includes('scale') ? scaleOperations : undefined;
    case 'finalize':
      return resource === 'namespaces' ? { update: updateObject } : undefined;
    case 'token':
      return resource === 'serviceaccounts' ? { create: requestToken } : undefined;
    case 'binding':
      return resource === 'pods' ? { create: bindPod } : undefined;
    case 'eviction':
      return resource === 'pods' ? { create: evictPod } : undefined;
    case 'exec':
    case 'attach':
    case 'portforward':
      return resource === 'pods' ? { get: connectPod, create: connectPod } : undefined;
    case 'proxy':
      return resource === 'services' ? proxyOperations : undefined;
    case 'log':
      return resource === 'pods' ? { get: podLog } : undefined;
    default:
      return undefined;
  }
}
