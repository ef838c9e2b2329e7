// SPDX-License-Identifier: Apache-2.0
import { invalidValue, type FieldError } from '@forge/kube/errors/field-error.ts';
import type { BoundObjectReference } from '@forge/kube/generated/types.ts';
import { Node, Pod, Secret, ServiceAccount, TokenRequest } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { JsonObject } from '@forge/kube/objects/json.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { timestamp } from '@forge/runtime/environment/clock.ts';
import type { BoundObjects } from '../access/service-account-claims.ts';
import { restrictNode } from '../admission/node-restriction/restrict-node.ts';
import type { ServerResponse } from '../messages/server-request.ts';
import { badRequest, conflict, invalid, notFound, notServed } from '../messages/status-errors.ts';
import type { ResourceRequest } from '../request/resource-request.ts';
import type { ServerContext } from '../request/server-context.ts';
import { defineResource } from '../resources/resource.ts';
import { readReview, reviewResponse } from '../reviews/read-review.ts';

const hour = 3600;
const leastSeconds = 600;
const mostSeconds = 2 ** 32;
/** Automatically mounted tokens are valid for a year, for clients that do not renew them in time. */
const warnedSeconds = 3607;
const extendedSeconds = 365 * 24 * hour;

/** Handles serviceaccounts/token: issues a token for the requested audiences and duration. */
export async function requestToken(server: ServerContext, request: ResourceRequest): Promise<ServerResponse> {
  const { namespace = '', name } = request;
  const { serviceAccountTokens: tokens } = server;
  if (tokens === undefined) throw notServed();
  const review = await readReview<TokenRequest>(server, request, tokenRequests);
  restrictNode(request.user, { ...request, operation: 'CREATE', object: review, before: undefined }, server);
  checkPlace(review, namespace, name);
  const account = find(server, ServiceAccount, namespace, name);
  const { uid = '' } = account.metadata;
  const { uid: requestedUid = uid } = review.metadata;
  if (requestedUid !== uid) {
    const why = `the UID in the token request (${requestedUid}) does not match the UID of the service account (${uid})`;
    throw conflict({ group: TokenRequest.group, plural: TokenRequest.kind }, name, why);
  }
  const { audiences: wanted = [], expirationSeconds = hour, boundObjectRef = null } = review.spec ?? {};
  const audiences = wanted.length === 0 ? [tokens.issuer] : wanted;
  checkSeconds(expirationSeconds);
  const bound = boundObjectRef === null ? {} : boundObjects(server, boundObjectRef, account);
  const isOurs = audiences.every((audience) => audience === tokens.issuer);
  const isWarned = bound.pod !== undefined && expirationSeconds === warnedSeconds && isOurs;
  const seconds = isWarned ? extendedSeconds : expirationSeconds;
  const wantedToken = { account, audiences, seconds, bound, ...(isWarned && { warnAfter: expirationSeconds }) };
  const end = server.clock.now() + expirationSeconds * 1000;
  return reviewResponse({
    ...review,
    metadata: {
      ...withoutReference(review.metadata),
      name,
      namespace,
      uid,
      creationTimestamp: timestamp(server.clock),
    },
    spec: { audiences, expirationSeconds, boundObjectRef },
    status: {
      token: tokens.issue(wantedToken),
      expirationTimestamp: new Date(end).toISOString().replace(/\.\d+Z$/, 'Z'),
    },
  } as KubeObject);
}

/** boundObjectRef is always present, if only as null, so its presence is not managed. */
function withoutReference({ managedFields = [], ...metadata }: TokenRequest['metadata']): TokenRequest['metadata'] {
  const entries = managedFields.map((entry) => {
    const fields = entry.fieldsV1 as { 'f:spec'?: { 'f:boundObjectRef'?: JsonObject } } | undefined;
    const { '.': _, ...reference } = fields?.['f:spec']?.['f:boundObjectRef'] ?? { '.': {} };
    if (Object.keys(reference).length === 0) return entry;
    return { ...entry, fieldsV1: { ...fields, 'f:spec': { ...fields?.['f:spec'], 'f:boundObjectRef': reference } } };
  });
  return { ...metadata, managedFields: entries };
}

/** The TokenRequest kind, served only as a subresource of serviceaccounts. */
const tokenRequests = defineResource(TokenRequest, {
  custom: false,
  strategy: { default: withTime },
  columns: [],
});

function withTime(request: KubeObject): TokenRequest {
  const { spec, ...rest } = request as TokenRequest;
  return { ...rest, spec: { expirationSeconds: hour, ...spec } as TokenRequest['spec'] } as TokenRequest;
}

function checkPlace({ metadata }: TokenRequest, namespace: string, name: string): void {
  const problems: FieldError[] = [];
  const given = metadata as Partial<KubeObject['metadata']>;
  if ((given.name ?? name) !== name) {
    problems.push(invalidValue('metadata.name', given.name, 'must match the service account name if specified'));
  } else if ((given.namespace ?? namespace) !== namespace) {
    const why = 'must match the service account namespace if specified';
    problems.push(invalidValue('metadata.namespace', given.namespace, why));
  }
  if (problems.length > 0) throw invalid(TokenRequest, name, problems);
}

function checkSeconds(seconds: number): void {
  const why =
    seconds < leastSeconds
      ? 'may not specify a duration less than 10 minutes'
      : seconds > mostSeconds
        ? 'may not specify a duration larger than 2^32 seconds'
        : undefined;
  if (why !== undefined) throw invalid(TokenRequest, '', [invalidValue('spec.expirationSeconds', seconds, why)]);
}

/** The objects to bind a token to; a pod includes its node. */
function boundObjects(
  server: ServerContext,
  { apiVersion = '', kind = '', name = '', uid = '' }: BoundObjectReference,
  { metadata: account }: ServiceAccount,
): BoundObjects {
  const { namespace = '' } = account;
  const checked = <T extends KubeObject>(object: T): T => {
    if (uid === '' || uid === object.metadata.uid) return object;
    const why = `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`;
    throw conflict({ group: '', plural: kind }, name, why);
  };
  switch (`${apiVersion.includes('/') ? `${apiVersion}/` : ''}${kind}`) {
    case 'Pod': {
      const pod = find(server, Pod, namespace, name);
      if (pod.spec?.serviceAccountName !== account.name) {
        throw badRequest(
          `cannot bind token for serviceaccount "${account.name}" to pod running with different serviceaccount name.`,
        );
      }
      const { nodeName = '' } = pod.spec;
      return { pod: checked(pod), ...(nodeName !== '' && { node: nodeNamed(server, nodeName) }) };
    }
    case 'Node':
      return { node: checked(find(server, Node, '', name)) };
    case 'Secret':
      return { secret: checked(find(server, Secret, namespace, name)) };
    default:
      throw badRequest(`cannot bind token to object of type ${typeText(apiVersion, kind)}`);
  }
}

function typeText(apiVersion: string, kind: string): string {
  return `${apiVersion.includes('/') ? apiVersion : `/${apiVersion}`}, Kind=${kind}`;
}

function nodeNamed({ store }: ServerContext, name: string): Node {
  const known = store.current.objects.get(`nodes//${name}`)?.value as Node | undefined;
  return known ?? { apiVersion: 'v1', kind: 'Node', metadata: { name } };
}

function find<T extends KubeObject>({ store }: ServerContext, kind: Kind<T>, namespace: string, name: string): T {
  const stored = store.current.objects.get(`${kind.plural}/${namespace}/${name}`);
  if (stored === undefined) throw notFound(kind, name);
  return stored.value as T;
}
