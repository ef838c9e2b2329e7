// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { isObject, type JsonObject } from '@forge/kube/objects/json.ts';
import type { ReconcileContext } from '@forge/runtime/controller/controller.ts';
import type { Dependencies } from './dependencies.ts';
import { IdentityError, type Identity } from './identity.ts';
import type { KorcObject, Reference } from './korc-object.ts';
import { writeError } from './outcome.ts';

/** A resource in Keystone. */
export type Remote = JsonObject & { readonly id: string };

/** The inputs of an actuator. */
export interface Work<T extends KorcObject> {
  object: T;
  identity: Identity;
  context: ReconcileContext;
}

/** Manages the resources of one kind in Keystone. */
export interface Actuator<T extends KorcObject> {
  readonly kind: Kind<T>;
  /** Objects that the resource refers to; they are protected from deletion while the object exists. */
  references(object: T): readonly Reference[];
  /** Objects that the import filter refers to. */
  filterReferences(object: T): readonly Reference[];
  /** Secrets that it reads, besides the credentials. Default: none. */
  secrets?(object: T): readonly string[];
  /** Undefined when it does not exist. */
  get(work: Work<T>, id: string): Promise<Remote | undefined>;
  /** Resources that the import filter matches. */
  listForImport(work: Work<T>, dependencies: Dependencies): Promise<Remote[]>;
  /** Resources that an object without an id can adopt. */
  listForAdoption(work: Work<T>, dependencies: Dependencies): Promise<Remote[]>;
  create(work: Work<T>, dependencies: Dependencies): Promise<Remote>;
  /** Updates fields that differ; false when none does. Default: the resource cannot be changed. */
  update?(work: Work<T>, remote: Remote): Promise<boolean>;
  /** Objects that a deletion needs besides the credentials. Default: none. */
  deleteReferences?(object: T): readonly Reference[];
  delete(work: Work<T>, remote: Remote, dependencies: Dependencies): Promise<void>;
  /** `status.resource`. */
  observe(remote: Remote, object: T): JsonObject;
}

/** A collection of Keystone's API, such as `services` with items named `service`. */
export function collection(path: string, item: string) {
  const items = path.replace(/^.*\//, '');
  return {
    async get(identity: Identity, id: string): Promise<Remote | undefined> {
      try {
        return remoteOf((await identity.call('GET', `${path}/${id}`))[item]);
      } catch (error) {
        if (error instanceof IdentityError && error.status === 404) return undefined;
        throw error;
      }
    },
    async list(identity: Identity, query: Readonly<Record<string, string | boolean | undefined>>): Promise<Remote[]> {
      const given = Object.entries(query).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, String(value)] satisfies [string, string]],
      );
      const search = new URLSearchParams(given).toString();
      const listed = (await identity.call('GET', search === '' ? path : `${path}?${search}`))[items];
      return Array.isArray(listed) ? listed.map(remoteOf) : [];
    },
    async create(identity: Identity, body: JsonObject): Promise<Remote> {
      const created = await identity.call('POST', path, { [item]: body }).catch((error: unknown) => {
        throw writeError('creating', error);
      });
      return remoteOf(created[item]);
    },
    async update(identity: Identity, id: string, body: JsonObject): Promise<void> {
      await identity.call('PATCH', `${path}/${id}`, { [item]: body }).catch((error: unknown) => {
        throw writeError('updating', error);
      });
    },
    async delete(identity: Identity, id: string): Promise<void> {
      try {
        await identity.call('DELETE', `${path}/${id}`);
      } catch (error) {
        if (!(error instanceof IdentityError) || error.status !== 404) throw error;
      }
    },
  };
}

function remoteOf(value: unknown): Remote {
  if (isObject(value) && typeof value['id'] === 'string') return value as Remote;
  throw new Error('the response has no resource with an id');
}

/** The fields of `wanted` that differ in the resource; undefined when there are none. */
export function driftOf(wanted: JsonObject, remote: Remote): JsonObject | undefined {
  const changes = Object.entries(wanted).filter(([field, value]) => (remote[field] ?? '') !== value);
  return changes.length === 0 ? undefined : Object.fromEntries(changes);
}

/** These fields without those that are empty in Keystone. */
export function present(fields: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null && value !== ''),
  );
}
