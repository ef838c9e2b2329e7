// SPDX-License-Identifier: Apache-2.0
import { invalidValue } from '@forge/kube/errors/field-error.ts';
import { isObject } from '@forge/kube/objects/json.ts';
import { groupOf, type KubeObject } from '@forge/kube/objects/object.ts';
import { badRequest, errorWithoutReason, invalid, nameMismatch, namespaceMismatch } from '../messages/status-errors.ts';
import type { ResourceRegistry } from '../registry/resource-registry.ts';
import type { Write, WriteStep } from '../request/write.ts';
import { checkPreconditions } from './check-preconditions.ts';

/** Checks that the object has metadata, which all further steps rely on. */
export function requireMetadata({ resource: { kind }, object }: Write): KubeObject {
  if (isObject(object) && isObject(object.metadata)) return object;
  throw badRequest(`a ${kind.kind} is an object with metadata`);
}

/** Checks that the object matches the path and, if it exists, the preconditions of the write. */
export const checkIdentity: WriteStep = (write, { resources }) => {
  requireMetadata(write);
  const { resource, object, before } = write;
  const { kind } = resource;
  if (object.apiVersion !== kind.apiVersion || object.kind !== kind.kind) throw kindMismatch(write, resources);
  const placed = before === undefined ? checkNew(object, write.namespace) : checkSame(write, before);
  if (resource.kind.scope === 'Namespaced') return placed;
  const { namespace: _, ...metadata } = placed.metadata;
  return { ...placed, metadata };
};

/** The error for an object of another kind or version than the path. */
function kindMismatch(write: Write, resources: ResourceRegistry): Error {
  const { resource, object, isPatch } = write;
  const { kind } = resource;
  if (resource.custom && isPatch) return customTypeMismatch(write);
  const known = resources.findKind(object.apiVersion, object.kind);
  if (known !== undefined && object.kind === kind.kind) {
    return badRequest(
      `the API version in the data (${object.apiVersion}) does not match the expected API version (${kind.apiVersion})`,
    );
  }
  const version = object.apiVersion.split('/').at(-1) ?? '';
  // kube-apiserver's internal types are named after the first part of their group.
  const family = kind.group === '' ? 'core' : kind.group.split('.')[0];
  const why =
    known === undefined
      ? `no kind "${object.kind}" is registered for version "${object.apiVersion}" in scheme "pkg/runtime/scheme.go:111"`
      : `converting (${version}.${object.kind}) to (${family}.${kind.kind}): unknown conversion`;
  return badRequest(`${object.kind} in version "${version}" cannot be handled as a ${kind.kind}: ${why}`);
}

/** The error for a patch that changes the kind or version of a custom resource. */
function customTypeMismatch({ resource: { kind }, object, name }: Write): Error {
  const errors = (['kind', 'apiVersion'] as const)
    .filter((field) => object[field] !== kind[field])
    .map((field) => invalidValue(field, object[field], `must be ${kind[field]}`));
  return invalid({ group: groupOf(object.apiVersion), kind: object.kind }, name, errors);
}

function checkNew(object: KubeObject, namespace: string | undefined): KubeObject {
  const { metadata } = object;
  if (
    metadata.namespace !== undefined &&
    metadata.namespace !== '' &&
    metadata.namespace !== (namespace ?? metadata.namespace)
  ) {
    throw namespaceMismatch();
  }
  if (metadata.resourceVersion !== undefined && metadata.resourceVersion !== '') {
    throw errorWithoutReason('resourceVersion should not be set on objects to be created');
  }
  return namespace === undefined ? object : { ...object, metadata: { ...metadata, namespace } };
}

function checkSame(write: Write, before: KubeObject): KubeObject {
  const { object, namespace, name } = write;
  const { metadata } = object;
  if (metadata.name !== name) {
    throw nameMismatch(metadata.name, name);
  }
  if (metadata.namespace !== undefined && metadata.namespace !== namespace) {
    throw namespaceMismatch();
  }
  checkPreconditions(write, before);
  return namespace === undefined ? object : { ...object, metadata: { ...metadata, namespace } };
}
