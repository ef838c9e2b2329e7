// SPDX-License-Identifier: Apache-2.0
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { applyDefaults } from '@forge/kube/schema/apply-defaults.ts';
import { prune } from '@forge/kube/schema/prune.ts';
import type { Schema } from '@forge/kube/schema/schema.ts';
import type { Resource } from '../resources/resource.ts';
import { StoredObject } from '../storage/stored-object.ts';

/** The versions of a custom resource. */
export interface Versions {
  /** By apiVersion. */
  readonly schemas: ReadonlyMap<string, Schema>;
  /** The apiVersion that objects are stored in. */
  readonly storage: string;
  /** The revision since which the definition is as it is. */
  readonly since: number;
}

/**
 * Brings objects from the version they are stored in to the one they are asked for, and back. Nothing but the apiVersion
 * changes, and what the other version does not know is lost. An object read is first brought up to date with the version
 * it is stored in: without the fields that one does not know any more, with the defaults it has. Its resourceVersion
 * stays, since nobody has written it.
 */
export function versionConverter(
  apiVersion: string,
  { schemas, storage, since }: Versions,
): Pick<Resource, 'toServed' | 'toStored'> {
  const known = new WeakMap<StoredObject, StoredObject>();

  function converted(object: KubeObject, to: string): KubeObject {
    if (object.apiVersion === to) return object;
    return prune({ ...object, apiVersion: to }, schemas.get(to) ?? {}).object;
  }

  function upgrade(object: KubeObject): KubeObject {
    const schema = schemas.get(object.apiVersion) ?? {};
    return converted(applyDefaults(prune(object, schema).object, schema), apiVersion);
  }

  return {
    toServed(stored, written = stored.revision) {
      // Of one version alone, nothing is stored that lacks its defaults.
      if (written > since && schemas.size === 1) return stored;
      const ready = known.get(stored);
      if (ready !== undefined) return ready;
      const value = upgrade(stored.value);
      const served = value === stored.value ? stored : new StoredObject(stored.key, stored.revision, value);
      known.set(stored, served);
      return served;
    },
    toStored: (object) => converted(object, storage),
  };
}
