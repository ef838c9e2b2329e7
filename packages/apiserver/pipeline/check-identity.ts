// SPDX-License-Identifier: Apache-2.0
import { invalidValue } from '@forge/kube/errors/field-error.ts';
import { isObject } from '@forge/kube/objects/json.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { isDryRun } from '../context/write-options.ts';
import type { Write, WriteStep } from '../context/write.ts';
import type { ResourceRegistry } from '../registry/resource-registry.ts';
import {
  badRequest,
  conflict,
  errorWithoutReason,
  invalid,
  nameMismatch,
  namespaceMismatch,
  staleVersion,
} from '../request/status-errors.ts';
import type { Resource } from '../resources/resource.ts';

/** Checks that the object matches the path and has the newest resourceVersion. */
export const checkIdentity: WriteStep = (write, { resources }) => {
  const { resource, object, before } = write;
  const { kind } = resource;
  if (!isObject(object) || !isObject(object.metadata)) throw badRequest(`a ${kind.kind} is an object with metadata`);
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
  const group = object.apiVersion.includes('/') ? (object.apiVersion.split('/')[0] ?? '') : '';
  const errors = (['kind', 'apiVersion'] as const)
    .filter((field) => object[field] !== kind[field])
    .map((field) => invalidValue(field, object[field], `must be ${kind[field]}`));
  return invalid({ group, kind: object.kind }, name, errors);
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
  const { resource, object, namespace, name, isPatch } = write;
  const { kind, custom, strategy } = resource;
  const { metadata } = object;
  if (metadata.name !== name) {
    throw nameMismatch(metadata.name, name);
  }
  if (metadata.namespace !== undefined && metadata.namespace !== namespace) {
    throw namespaceMismatch();
  }
  if (!isPatch) checkUid(write, metadata.uid, before.metadata.uid);
  const { resourceVersion = '' } = metadata;
  const version = resourceVersion === '' ? 0 : versionOf(resourceVersion);
  if (version !== 0 && resourceVersion !== before.metadata.resourceVersion) throw staleVersion(kind, name);
  if (version === 0 && (custom || strategy.requiresVersionOnUpdate === true)) {
    const message = 'Invalid value: 0: must be specified for an update';
    // kube-apiserver puts the resource here, not the kind.
    const named = { group: kind.group, kind: kind.plural };
    throw invalid(named, name, [{ reason: 'FieldValueInvalid', field: 'metadata.resourceVersion', message }]);
  }
  return namespace === undefined ? object : { ...object, metadata: { ...metadata, namespace } };
}

function versionOf(text: string): number {
  if (!/^\d+$/.test(text))
    throw errorWithoutReason(`strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`);
  return Number(text);
}

/** Rejects an update with another uid than the stored object; a missing object has none. */
export function checkUid(
  { resource, namespace, name, query }: Pick<Write, 'resource' | 'namespace' | 'name' | 'query'>,
  uid: unknown,
  known = '',
): void {
  if (typeof uid !== 'string' || uid === '' || uid === known) return;
  const key = `${isDryRun(query) ? '' : '/registry'}${registryKeyOf(resource, namespace, name)}`;
  const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${known}`;
  throw conflict(
    resource.kind,
    name,
    `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${why}`,
  );
}

/** The etcd key of the object, which kube-apiserver shows in this error. */
function registryKeyOf({ kind, custom }: Resource, namespace: string | undefined, name: string): string {
  return ['', custom ? kind.group : [], kind.plural, namespace ?? [], name].flat().join('/');
}
