// SPDX-License-Identifier: Apache-2.0
import { ApiError, isApiError, type Status } from '../errors/api-error.ts';
import { collectionPath, type Kind, resourceName } from '../kinds/kind.ts';
import { isTerminating, refOf, type KubeObject, type ObjectRef } from '../objects/object.ts';
import {
  deleteBody,
  type DeleteOptions,
  type GetOptions,
  type ListOptions,
  listQuery,
  type Selection,
  type WatchOptions,
  watchQuery,
  type WriteOptions,
  writeQuery,
} from './client-options.ts';
import type { ApiRequest, ApiResponse, Transport } from './transport.ts';

/** One page of a collection and its resource version. */
export interface ObjectList<T> {
  items: T[];
  resourceVersion: string;
  continue?: string;
}

/** An event of a watch. */
export interface WatchEvent<T> {
  type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  object: T;
}

/** The patch types besides apply. */
type PatchType = 'json' | 'merge' | 'strategic';

/** A typed client of an API server. Throws ApiError for error responses. */
export interface Client {
  get<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef, options?: GetOptions): Promise<T>;
  /** Like get, but undefined when the object does not exist. */
  find<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef, options?: GetOptions): Promise<T | undefined>;
  list<T extends KubeObject>(kind: Kind<T>, options?: ListOptions): Promise<ObjectList<T>>;
  /** Ends with the connection; errors, also those in the stream (410), are thrown. */
  watch<T extends KubeObject>(kind: Kind<T>, options?: WatchOptions): AsyncIterable<WatchEvent<T>>;
  create<T extends KubeObject>(kind: Kind<T>, object: T, options?: WriteOptions): Promise<T>;
  update<T extends KubeObject>(kind: Kind<T>, object: T, options?: WriteOptions): Promise<T>;
  patch<T extends KubeObject>(
    kind: Kind<T>,
    ref: ObjectRef,
    type: PatchType,
    patch: unknown,
    options?: WriteOptions,
  ): Promise<T>;
  /** Server-side apply: the object contains only the fields that its manager owns. */
  apply<T extends KubeObject>(
    kind: Kind<T>,
    object: T,
    options: WriteOptions & { fieldManager: string; force?: boolean },
  ): Promise<T>;
  /** Resolves with the object while it is terminating: finalizers or its grace period still hold it. */
  delete(kind: Kind, ref: ObjectRef, options?: DeleteOptions): Promise<KubeObject | undefined>;
  /** Deletes the selected collection. */
  deleteAll(kind: Kind, selection: Selection, options?: Omit<DeleteOptions, 'preconditions'>): Promise<void>;
}

const patchContentTypes: Record<PatchType | 'apply', string> = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
};

/** The target of a request, for its path and for errors. */
interface Target {
  kind: Kind;
  namespace?: string | undefined;
  name?: string | undefined;
  subresource?: string | undefined;
}

type TransportOptions = Pick<ApiRequest, 'signal' | 'beforeSending'>;

/** A client on a transport; its writes have this field manager, unless they name another. */
export function client(transport: Transport, own: Pick<WriteOptions, 'fieldManager'> = {}): Client {
  async function send(verb: string, target: Target, request: Omit<ApiRequest, 'path'>): Promise<ApiResponse> {
    const response = await transport.request({ path: pathOf(target), ...request });
    if (response.status >= 400) throw new ApiError(response.body as Status, describeRequest(verb, target));
    return response;
  }

  async function object<T>(verb: string, target: Target, request: Omit<ApiRequest, 'path'>): Promise<T> {
    return (await send(verb, target, request)).body as T;
  }

  return {
    get: (kind, ref, options) =>
      object('get', { kind, ...ref, ...subresourceOf(options) }, { method: 'GET', ...transportOptions(options) }),

    async find(kind, ref, options) {
      try {
        return await this.get(kind, ref, options);
      } catch (error) {
        if (isApiError(error, 'NotFound')) return undefined;
        throw error;
      }
    },

    async list<T extends KubeObject>(kind: Kind<T>, options: ListOptions = {}): Promise<ObjectList<T>> {
      const list = await object<{ metadata: { resourceVersion: string; continue?: string }; items: T[] }>(
        'list',
        { kind, namespace: options.namespace },
        {
          method: 'GET',
          query: listQuery(options),
          ...transportOptions(options),
          ...(options.onContinue !== undefined && { onContinue: options.onContinue }),
          ...(options.fieldManagers !== undefined && { fieldManagers: options.fieldManagers }),
        },
      );
      const next = list.metadata.continue;
      return {
        // On the wire, list items have no apiVersion and kind.
        items: list.items.map((item) => ({ ...item, apiVersion: kind.apiVersion, kind: kind.kind })),
        resourceVersion: list.metadata.resourceVersion,
        ...(next !== undefined && next !== '' && { continue: next }),
      };
    },

    async *watch<T extends KubeObject>(kind: Kind<T>, options: WatchOptions = {}): AsyncIterable<WatchEvent<T>> {
      const target = { kind, namespace: options.namespace };
      const request = {
        method: 'GET',
        path: pathOf(target),
        query: watchQuery(options),
        ...transportOptions(options),
      } as const;
      try {
        const events = await transport.stream(request);
        options.onOpen?.();
        for await (const event of events) {
          const { type, object: seen } = event as { type: string; object: T };
          if (type === 'ERROR') throw new ApiError(seen as unknown as Status);
          yield { type: type as WatchEvent<T>['type'], object: seen };
        }
      } catch (error) {
        throw error instanceof ApiError ? new ApiError(error.status, describeRequest('watch', target)) : error;
      }
    },

    create: (kind, body, options) => {
      const { namespace, name } = body.metadata;
      // A subresource is created under the object's name; a new object is created in the collection.
      const target = {
        kind,
        namespace,
        ...subresourceOf(options),
        ...(options?.subresource !== undefined && { name }),
      };
      return object('create', target, {
        method: 'POST',
        query: writeQuery({ ...own, ...options }),
        body,
        ...transportOptions(options),
      });
    },

    update: (kind, body, options) =>
      object(
        'update',
        { kind, ...refOf(body), ...subresourceOf(options) },
        { method: 'PUT', query: writeQuery({ ...own, ...options }), body, ...transportOptions(options) },
      ),

    patch: (kind, ref, type, body, options) =>
      object(
        'patch',
        { kind, ...ref, ...subresourceOf(options) },
        {
          method: 'PATCH',
          query: writeQuery({ ...own, ...options }),
          headers: { 'content-type': patchContentTypes[type] },
          body,
          ...transportOptions(options),
        },
      ),

    apply: (kind, body, options) =>
      object(
        'apply',
        { kind, ...refOf(body), ...subresourceOf(options) },
        {
          method: 'PATCH',
          query: { ...writeQuery(options), ...(options.force === true && { force: 'true' }) },
          headers: { 'content-type': patchContentTypes.apply },
          body,
          ...transportOptions(options),
        },
      ),

    async delete(kind, ref, options = {}) {
      // For an object that no longer exists, the response is a Status or its last state.
      const answer = await object<KubeObject | Status>(
        'delete',
        { kind, ...ref },
        { method: 'DELETE', body: deleteBody(options), ...transportOptions(options) },
      );
      return 'metadata' in answer && isTerminating(answer as KubeObject) ? (answer as KubeObject) : undefined;
    },

    async deleteAll(kind, selection, options = {}) {
      await send(
        'delete',
        { kind, namespace: selection.namespace },
        { method: 'DELETE', query: listQuery(selection), body: deleteBody(options), ...transportOptions(options) },
      );
    },
  };
}

function pathOf({ kind, namespace, name, subresource }: Target): string {
  const collection = collectionPath(kind, namespace);
  if (name === undefined) return collection;
  const path = `${collection}/${encodeURIComponent(name)}`;
  return subresource === undefined ? path : `${path}/${subresource}`;
}

/** The request in error messages: `apply deployments.apps/status openstack/keystone`. */
function describeRequest(verb: string, { kind, namespace, name, subresource }: Target): string {
  const resource = subresource === undefined ? resourceName(kind) : `${resourceName(kind)}/${subresource}`;
  const place = [namespace, name].filter((part) => part !== undefined).join('/');
  return place === '' ? `${verb} ${resource}` : `${verb} ${resource} ${place}`;
}

function subresourceOf(options: { subresource?: string } = {}): { subresource?: string } {
  return options.subresource === undefined ? {} : { subresource: options.subresource };
}

/** The options that concern the transport. */
function transportOptions({ signal, beforeSending }: TransportOptions = {}): TransportOptions {
  return { ...(signal !== undefined && { signal }), ...(beforeSending !== undefined && { beforeSending }) };
}
