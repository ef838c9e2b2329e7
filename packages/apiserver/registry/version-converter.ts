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
  /** The revision at which the definition took effect. */
  readonly since: number;
}

/**
 * Converts objects between the storage version and a served version. Only the apiVersion changes; fields unknown to the
 * target version are pruned. On read, an object is first pruned and defaulted by its storage version's current schema.
 * The resourceVersion does not change.
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
      // With a single version, objects are stored with their defaults.
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
