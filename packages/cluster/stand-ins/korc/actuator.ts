// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { isObject, type JsonObject } from '@forge/kube/objects/json.ts';
import type { ReconcileContext } from '@forge/runtime/controller/controller.ts';
import type { Dependencies } from './dependencies.ts';
import { IdentityError, type Identity } from './identity.ts';
import type { KorcObject, Reference } from './korc-object.ts';
import { writeError } from './outcome.ts';

/** A resource as Keystone shows it. */
export type Remote = JsonObject & { readonly id: string };

/** What an actuator works with. */
export interface Work<T extends KorcObject> {
  object: T;
  identity: Identity;
  context: ReconcileContext;
}

/** How the resources of one kind are kept in Keystone. */
export interface Actuator<T extends KorcObject> {
  readonly kind: Kind<T>;
  /** What the resource refers to: guarded against deletion while the object is there. */
  references(object: T): readonly Reference[];
  /** What the import filter refers to. */
  filterReferences(object: T): readonly Reference[];
  /** Secrets that it reads, besides the credentials. Default: none. */
  secrets?(object: T): readonly string[];
  /** Undefined when it does not exist. */
  get(work: Work<T>, id: string): Promise<Remote | undefined>;
  /** What the import filter matches. */
  listForImport(work: Work<T>, dependencies: Dependencies): Promise<Remote[]>;
  /** What an object that created nothing yet takes over. */
  listForAdoption(work: Work<T>, dependencies: Dependencies): Promise<Remote[]>;
  create(work: Work<T>, dependencies: Dependencies): Promise<Remote>;
  /** Changes what differs; false when nothing does. Default: it cannot be changed. */
  update?(work: Work<T>, remote: Remote): Promise<boolean>;
  /** What a deletion needs besides the credentials. Default: nothing. */
  deleteReferences?(object: T): readonly Reference[];
  delete(work: Work<T>, remote: Remote, dependencies: Dependencies): Promise<void>;
  /** `status.resource`. */
  observe(remote: Remote, object: T): JsonObject;
}

/** A collection of Keystone's API: `services`, whose items come as `service`. */
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

/** Those fields of `wanted` that the resource has otherwise; undefined when there are none. */
export function driftOf(wanted: JsonObject, remote: Remote): JsonObject | undefined {
  const changes = Object.entries(wanted).filter(([field, value]) => (remote[field] ?? '') !== value);
  return changes.length === 0 ? undefined : Object.fromEntries(changes);
}

/** These fields without those that Keystone left empty. */
export function present(fields: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null && value !== ''),
  );
}
