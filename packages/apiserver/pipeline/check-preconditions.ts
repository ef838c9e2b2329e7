// SPDX-License-Identifier: Apache-2.0
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { conflict, errorWithoutReason, invalid, staleVersion } from '../messages/status-errors.ts';
import type { DeleteOptions } from '../request/delete-options.ts';
import { isDryRun } from '../request/write-options.ts';
import type { Write } from '../request/write.ts';
import type { Resource } from '../resources/resource.ts';

/**
 * Optimistic concurrency: rejects an update with 409 when it names another uid, and an update or patch when it names another
 * resourceVersion, than the stored object has. Conflicts between field managers are found by server-side apply.
 */
export function checkPreconditions(write: Write, before: KubeObject): void {
  const { resource, object, name, isPatch } = write;
  const { kind, custom, strategy } = resource;
  const { metadata } = object;
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

/** Rejects a deletion with 409 when the object is not the one that its options name. */
export function checkDeletePreconditions(
  { kind }: Resource,
  { metadata }: KubeObject,
  { preconditions = {} }: DeleteOptions,
): void {
  const { uid, resourceVersion } = preconditions;
  // kube-apiserver puts the kind here, not the resource.
  const named = { group: kind.group, plural: kind.kind };
  if (uid !== undefined && uid !== metadata.uid) {
    const why = `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`;
    throw conflict(named, metadata.name, why);
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    const why = `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`;
    throw conflict(named, metadata.name, why);
  }
}
