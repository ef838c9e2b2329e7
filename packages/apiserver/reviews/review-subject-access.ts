// SPDX-License-Identifier: Apache-2.0
import { invalidValue, type FieldError } from '@forge/kube/errors/field-error.ts';
import type {
  FieldSelectorAttributes,
  NonResourceAttributes,
  ResourceAttributes,
  SubjectAccessReviewSpec,
} from '@forge/kube/generated/types.ts';
import type {
  LocalSubjectAccessReview,
  SelfSubjectAccessReview,
  SubjectAccessReview,
} from '@forge/kube/kinds/builtin.ts';
import type { FieldRequirement } from '@forge/kube/selectors/selector.ts';
import type { AccessRequest } from '../messages/access-request.ts';
import type { ServerResponse, User } from '../messages/server-request.ts';
import { badRequest, invalid } from '../messages/status-errors.ts';
import type { ResourceRequest } from '../request/resource-request.ts';
import type { ServerContext } from '../request/server-context.ts';
import { readReview, reviewResponse } from './read-review.ts';

type AccessReview = SubjectAccessReview | LocalSubjectAccessReview | SelfSubjectAccessReview;

/** Handles SubjectAccessReview: whether a user has access. */
export async function reviewSubjectAccess(server: ServerContext, request: ResourceRequest): Promise<ServerResponse> {
  const review = await readReview<SubjectAccessReview>(server, request);
  check(request, [...subjectProblems(review.spec), ...metadataProblems(review)]);
  return decided(server, review, subjectOf(review.spec));
}

/** Handles LocalSubjectAccessReview: whether a user has access in this namespace. */
export async function reviewLocalSubjectAccess(
  server: ServerContext,
  request: ResourceRequest,
): Promise<ServerResponse> {
  const review = await readReview<LocalSubjectAccessReview>(server, request);
  const { spec, metadata } = review;
  check(request, [...subjectProblems(spec), ...metadataProblems(review, 'namespace'), ...placeProblems(review)]);
  if (metadata.namespace !== request.namespace) {
    throw badRequest(`spec.resourceAttributes.namespace must match namespace: ${request.namespace}`);
  }
  return decided(server, review, subjectOf(spec));
}

/** Handles SelfSubjectAccessReview: whether the caller has access. */
export async function reviewSelfSubjectAccess(
  server: ServerContext,
  request: ResourceRequest,
): Promise<ServerResponse> {
  const review = await readReview<SelfSubjectAccessReview>(server, request);
  check(request, [...attributeProblems(review.spec), ...metadataProblems(review)]);
  return decided(server, review, request.user);
}

function decided({ authorizer }: ServerContext, review: AccessReview, user: User): ServerResponse {
  const { allowed, reason } = authorizer(user, accessRequestIn(review.spec));
  return reviewResponse({ ...review, status: { allowed, ...(reason !== '' && { reason }) } } as AccessReview);
}

function subjectOf({ user = '', groups = [], uid, extra }: SubjectAccessReviewSpec): User {
  return { name: user, groups, ...(uid !== undefined && { uid }), ...(extra !== undefined && { extra }) };
}

interface Attributes {
  resourceAttributes?: ResourceAttributes;
  nonResourceAttributes?: NonResourceAttributes;
}

function accessRequestIn({ resourceAttributes, nonResourceAttributes }: Attributes): AccessRequest {
  if (nonResourceAttributes !== undefined) return { verb: '', path: '', ...nonResourceAttributes };
  const {
    verb = '',
    group = '',
    resource = '',
    subresource = '',
    namespace = '',
    name = '',
    fieldSelector,
  } = resourceAttributes ?? {};
  const requirements = equalitiesIn(fieldSelector);
  return {
    verb,
    group,
    resource,
    subresource,
    namespace,
    name,
    ...(requirements.length > 0 && { fieldSelector: requirements }),
  };
}

/** The equality requirements of a selector: authorizers ignore all others. */
function equalitiesIn({ requirements = [] }: FieldSelectorAttributes = {}): FieldRequirement[] {
  return requirements.flatMap(({ key: path, operator, values: [value, ...more] = [] }) =>
    operator === 'In' && value !== undefined && more.length === 0 ? [{ path, operator: '=', value }] : [],
  );
}

function attributeProblems({ resourceAttributes, nonResourceAttributes }: Attributes): FieldError[] {
  if (resourceAttributes !== undefined && nonResourceAttributes !== undefined) {
    const why = 'cannot be specified in combination with resourceAttributes';
    return [invalidValue('spec.nonResourceAttributes', shown(nonResourceAttributes), why)];
  }
  if (resourceAttributes !== undefined || nonResourceAttributes !== undefined) return [];
  const why = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
  return [invalidValue('spec.resourceAttributes', null, why)];
}

function subjectProblems(spec: SubjectAccessReviewSpec): FieldError[] {
  const { user = '', groups = [] } = spec;
  const isNobody = user === '' && groups.length === 0;
  const why = 'at least one of user or group must be specified';
  return [...attributeProblems(spec), ...(isNobody ? [invalidValue('spec.user', user, why)] : [])];
}

function placeProblems({ metadata, spec }: LocalSubjectAccessReview): FieldError[] {
  const { resourceAttributes, nonResourceAttributes } = spec;
  const problems: FieldError[] = [];
  if (resourceAttributes !== undefined && (resourceAttributes.namespace ?? '') !== (metadata.namespace ?? '')) {
    const { namespace = '' } = resourceAttributes;
    problems.push(invalidValue('spec.resourceAttributes.namespace', namespace, 'must match metadata.namespace'));
  }
  if (nonResourceAttributes !== undefined) {
    const why = 'disallowed on this kind of request';
    problems.push(invalidValue('spec.nonResourceAttributes', shown(nonResourceAttributes), why));
  }
  return problems;
}

/** The metadata of a review must be empty. */
function metadataProblems({ metadata }: AccessReview, allowed?: 'namespace'): FieldError[] {
  const isFree = (field: string): boolean => field === 'managedFields' || field === allowed;
  const given = Object.entries(metadata).filter(([field, value]) => value !== undefined && !isFree(field));
  if (given.length === 0) return [];
  return [
    invalidValue('metadata', metadata, allowed === undefined ? 'must be empty' : 'must be empty except for namespace'),
  ];
}

function check({ resource }: ResourceRequest, problems: readonly FieldError[]): void {
  // kube-apiserver leaves the kind empty here.
  if (problems.length > 0) throw invalid({ group: resource.kind.group, kind: '' }, '', problems);
}

/** Attributes with Go field names, as kube-apiserver prints them. */
function shown({ path = '', verb = '' }: NonResourceAttributes): object {
  return { Path: path, Verb: verb };
}
