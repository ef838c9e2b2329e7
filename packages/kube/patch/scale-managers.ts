// SPDX-License-Identifier: Apache-2.0
import type { KubeObject } from '../objects/object.ts';
import { difference, type FieldSet, isEmpty, leaf } from './field-set.ts';
import { isSameManager, type FieldManager, managersOf, withoutFields, withManagers } from './managers.ts';

/** The replicas field of a Scale. */
const replicas: FieldSet = { 'f:spec': { 'f:replicas': leaf } };

/** The object's Scale with the managers that own the replicas at this path of the object. */
export function withManagersOf<T extends KubeObject>(object: KubeObject, path: readonly string[], scale: T): T {
  const owned = fieldsAt(path);
  const owners = distinctManagers(object).filter(({ fields }) => owns(fields, owned));
  const { apiVersion } = scale;
  return withManagers(
    scale,
    owners.map((manager) => ({ ...manager, apiVersion, fields: replicas })),
  );
}

/**
 * The object with its replicas owned by the managers of its Scale. As on a real server, a new manager has no time, and
 * an updating one is new with every write, since the Scale has its own version: so its entry in the object is split.
 */
export function withScaleManagers<T extends KubeObject>(object: T, path: readonly string[], scale: KubeObject): T {
  const owned = fieldsAt(path);
  const managers = managersOf(scale);
  const isKnown = (manager: FieldManager) => managers.some((each) => isSameManager(each, manager));
  const known = distinctManagers(object);
  const kept = known.flatMap((manager) => (isKnown(manager) ? [manager] : withoutFields([manager], owned)));
  const added = managers
    .filter((manager) => owns(manager.fields, replicas) && !known.some((each) => isSameManager(each, manager)))
    .map(({ manager, operation, subresource }) => {
      const entry = { manager, operation, apiVersion: object.apiVersion, fields: owned };
      return subresource === undefined ? entry : { ...entry, subresource };
    });
  return withManagers(object, [...kept, ...added]);
}

/** The object's managers, the last one of equal ones: the split leaves two entries, of which a real server uses one. */
function distinctManagers(object: KubeObject): FieldManager[] {
  const managers = managersOf(object);
  return managers.filter((manager, index) => !managers.slice(index + 1).some((each) => isSameManager(each, manager)));
}

function fieldsAt(path: readonly string[]): FieldSet {
  return path.reduceRight<FieldSet>((inner, field) => ({ [`f:${field}`]: inner }), leaf);
}

function owns(fields: FieldSet, part: FieldSet): boolean {
  return isEmpty(difference(part, fields));
}
