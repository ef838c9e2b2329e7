// SPDX-License-Identifier: Apache-2.0
import { applyDefaults } from '@forge/kube/apply-defaults.ts';
import { prune } from '@forge/kube/prune.ts';
import type { Schema } from '@forge/kube/schema.ts';
import type { Resource } from './resource.ts';
import { StoredObject } from './storage/stored-object.ts';

/**
 * Shows objects that were written before the schema was in force, which is since this revision: without the fields it does
 * not know, with the defaults it has. Their versions stay, since nobody has written them.
 */
export function renewer(schema: Schema, since: number): Resource['renewed'] {
  const known = new WeakMap<StoredObject, StoredObject>();
  return (stored, written = stored.revision) => {
    if (written > since) return stored;
    const ready = known.get(stored);
    if (ready !== undefined) return ready;
    const value = applyDefaults(prune(stored.value, schema).object, schema);
    const renewed = value === stored.value ? stored : new StoredObject(stored.key, stored.revision, value);
    known.set(stored, renewed);
    return renewed;
  };
}
