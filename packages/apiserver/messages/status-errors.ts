// SPDX-License-Identifier: Apache-2.0
import { ApiError, type Status, type StatusReason } from '@forge/kube/errors/api-error.ts';
import type { FieldError } from '@forge/kube/errors/field-error.ts';
import { invalidStatus } from '@forge/kube/errors/invalid-status.ts';
import { type Kind, resourceName } from '@forge/kube/kinds/kind.ts';

type Details = NonNullable<Status['details']>;

/** An error response: a Status with code, reason and message. */
export function statusError(code: number, reason: StatusReason, message: string, details?: Details): ApiError {
  return new ApiError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason,
    ...(details !== undefined && { details }),
    code,
  });
}

export function notFound(kind: Kind, name: string): ApiError {
  return statusError(404, 'NotFound', `${resourceName(kind)} "${name}" not found`, detailsOf(kind, name));
}

export function alreadyExists(kind: Kind, name: string): ApiError {
  return statusError(409, 'AlreadyExists', `${resourceName(kind)} "${name}" already exists`, detailsOf(kind, name));
}

export function conflict(kind: Pick<Kind, 'group' | 'plural'>, name: string, why: string): ApiError {
  const message = `Operation cannot be fulfilled on ${resourceName(kind)} "${name}": ${why}`;
  return statusError(409, 'Conflict', message, detailsOf(kind, name));
}

/** The write is based on an outdated resourceVersion. */
export function staleVersion(kind: Kind, name: string): ApiError {
  return conflict(
    kind,
    name,
    'the object has been modified; please apply your changes to the latest version and try again',
  );
}

export function forbidden(kind: Kind, name: string, why: string, causes?: Details['causes']): ApiError {
  const subject = name === '' ? resourceName(kind) : `${resourceName(kind)} "${name}"`;
  const details = { ...detailsOf(kind, name), ...(causes !== undefined && { causes }) };
  return statusError(403, 'Forbidden', `${subject} is forbidden: ${why}`, details);
}

/** 422 with all validation errors. */
export function invalid(kind: Pick<Kind, 'group' | 'kind'>, name: string, errors: readonly FieldError[]): ApiError {
  return new ApiError(invalidStatus(kind, name, errors));
}

/** The group is served, the resource is not. */
export function notServed(): ApiError {
  return statusError(404, 'NotFound', 'the server could not find the requested resource', {});
}

export function badRequest(message: string): ApiError {
  return statusError(400, 'BadRequest', message);
}

/** The object's namespace differs from the one in the path. */
export function namespaceMismatch(): ApiError {
  return badRequest('the namespace of the provided object does not match the namespace sent on the request');
}

/** The object's name differs from the one in the path. */
export function nameMismatch(name: string, expected: string): ApiError {
  return badRequest(`the name of the object (${name}) does not match the name on the URL (${expected})`);
}

export function methodNotAllowed(): ApiError {
  return statusError(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {});
}

/** 405 for a custom resource. */
export function verbNotSupported(kind: Kind, verb: string): ApiError {
  const message = `${verb} is not supported on resources of kind "${resourceName(kind)}"`;
  return statusError(405, 'MethodNotAllowed', message, detailsOf(kind, ''));
}

export function unsupportedMediaType(accepted: readonly string[]): ApiError {
  const message = `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`;
  return statusError(415, 'UnsupportedMediaType', message);
}

/** 413: the body exceeds the size limit. */
export function tooLarge(limit: number): ApiError {
  return statusError(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${limit}`);
}

/** 410: the requested revision has been compacted. */
export function expired(message: string): ApiError {
  return statusError(410, 'Expired', message);
}

/** 503: something that the request depends on is unavailable. */
export function serviceUnavailable(message: string): ApiError {
  return statusError(503, 'ServiceUnavailable', message);
}

/** A 500 without a reason, as kube-apiserver sends for unclassified errors. */
export function errorWithoutReason(message: string): ApiError {
  return new ApiError({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, code: 500 });
}

/** 500 InternalError. */
export function internalError(message: string): ApiError {
  return statusError(500, 'InternalError', `Internal error occurred: ${message}`, { causes: [{ message }] });
}

function detailsOf({ group, plural }: Pick<Kind, 'group' | 'plural'>, name: string): Details {
  return { ...(name !== '' && { name }), ...(group !== '' && { group }), kind: plural };
}
