// SPDX-License-Identifier: Apache-2.0
import { isObject } from '@forge/kube/json.ts';
import type { KubeObject } from '@forge/kube/object.ts';
import { badRequest, conflict, invalid, otherNamespace, refusal, staleVersion } from '../refusal.ts';
import type { ResourceRegistry } from '../resource-registry.ts';
import type { Resource } from '../resource.ts';
import type { WriteStep } from './write.ts';

/** Sees to it that the object is what the path says, and stands on the newest version. */
export const checkIdentity: WriteStep = (write, { resources }) => {
  const { resource, object, before } = write;
  const { kind } = resource;
  if (!isObject(object) || !isObject(object.metadata)) throw badRequest(`a ${kind.kind} is an object with metadata`);
  if (object.apiVersion !== kind.apiVersion || object.kind !== kind.kind) throw otherKind(write, resources);
  const placed = before === undefined ? checkNew(object, write.namespace) : checkSame(write, before);
  if (resource.kind.scope === 'Namespaced') return placed;
  const { namespace: _, ...metadata } = placed.metadata;
  return { ...placed, metadata };
};

/** What is said to an object of another kind or version than the path's. */
function otherKind({ resource: { kind }, object }: Parameters<WriteStep>[0], resources: ResourceRegistry): Error {
  const known = resources.findKind(object.apiVersion, object.kind);
  if (known !== undefined && object.kind === kind.kind) {
    return badRequest(
      `the API version in the data (${object.apiVersion}) does not match the expected API version (${kind.apiVersion})`,
    );
  }
  const version = object.apiVersion.split('/').at(-1) ?? '';
  // Types inside a real server are named after the first word of their group.
  const family = kind.group === '' ? 'core' : kind.group.split('.')[0];
  const why =
    known === undefined
      ? `no kind "${object.kind}" is registered for version "${object.apiVersion}" in scheme "pkg/runtime/scheme.go:111"`
      : `converting (${version}.${object.kind}) to (${family}.${kind.kind}): unknown conversion`;
  return badRequest(`${object.kind} in version "${version}" cannot be handled as a ${kind.kind}: ${why}`);
}

function checkNew(object: KubeObject, namespace: string | undefined): KubeObject {
  const { metadata } = object;
  if (
    metadata.namespace !== undefined &&
    metadata.namespace !== '' &&
    metadata.namespace !== (namespace ?? metadata.namespace)
  ) {
    throw otherNamespace();
  }
  if (metadata.resourceVersion !== undefined && metadata.resourceVersion !== '') {
    throw refusal(500, 'InternalError', 'resourceVersion should not be set on objects to be created');
  }
  return namespace === undefined ? object : { ...object, metadata: { ...metadata, namespace } };
}

function checkSame({ resource, object, namespace, name }: Parameters<WriteStep>[0], before: KubeObject): KubeObject {
  const { kind, custom } = resource;
  const { metadata } = object;
  if (metadata.name !== name) {
    throw badRequest(`the name of the object (${metadata.name}) does not match the name on the URL (${name})`);
  }
  if (metadata.namespace !== undefined && metadata.namespace !== namespace) {
    throw otherNamespace();
  }
  const { uid, resourceVersion = '' } = metadata;
  if (uid !== undefined && uid !== '' && uid !== before.metadata.uid) {
    throw conflict(
      kind,
      name,
      `StorageError: invalid object, Code: 4, Key: ${registryKeyOf(resource, namespace, name)}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${uid}, UID in object meta: ${before.metadata.uid}`,
    );
  }
  if (custom && resourceVersion === '') {
    const message = 'Invalid value: 0: must be specified for an update';
    throw invalid(kind, name, [{ reason: 'FieldValueInvalid', field: 'metadata.resourceVersion', message }]);
  }
  if (resourceVersion !== '' && resourceVersion !== before.metadata.resourceVersion) throw staleVersion(kind, name);
  return namespace === undefined ? object : { ...object, metadata: { ...metadata, namespace } };
}

/** Where a real server keeps the object; it says so to whoever means another one of the same name. */
function registryKeyOf({ kind, custom }: Resource, namespace: string | undefined, name: string): string {
  return ['/registry', custom ? kind.group : [], kind.plural, namespace ?? [], name].flat().join('/');
}
