// SPDX-License-Identifier: Apache-2.0
import { ApiError, isRefusal, type Status } from './api-error.ts';
import { collectionPath, type Kind } from './kind.ts';
import { refOf, type KubeObject, type ObjectRef } from './object.ts';
import type { ApiRequest, ApiResponse, Transport } from './transport.ts';

/** What narrows a list or a watch. */
interface Selection {
  namespace?: string | undefined;
  labelSelector?: string | undefined;
  fieldSelector?: string | undefined;
}

/** How a list is read. */
interface ListOptions extends Selection {
  limit?: number;
  continue?: string;
  resourceVersion?: string;
  resourceVersionMatch?: 'Exact' | 'NotOlderThan';
  signal?: AbortSignal;
}

/** How a watch is opened. */
interface WatchOptions extends Selection {
  resourceVersion?: string;
  bookmarks?: boolean;
  signal?: AbortSignal;
}

/** One page of a collection, with the version it is true for. */
interface ObjectList<T> {
  items: T[];
  resourceVersion: string;
  continue?: string;
}

/** What a watch tells. */
export interface WatchEvent<T> {
  type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  object: T;
}

/** Options of every write. */
interface WriteOptions {
  fieldManager?: string;
  dryRun?: boolean;
  subresource?: 'status' | 'scale' | 'binding';
  signal?: AbortSignal;
}

/** How an object is deleted. */
export interface DeleteOptions {
  propagation?: 'Background' | 'Foreground' | 'Orphan';
  gracePeriodSeconds?: number;
  preconditions?: { uid?: string; resourceVersion?: string };
  signal?: AbortSignal;
}

/** The content types of the three classic patches. */
type PatchType = 'json' | 'merge' | 'strategic';

/** Talks to an API server in typed objects. Throws ApiError when the server refuses. */
export interface Client {
  get<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef, options?: { signal?: AbortSignal }): Promise<T>;
  /** Like get, but undefined when there is none. */
  find<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef, options?: { signal?: AbortSignal }): Promise<T | undefined>;
  list<T extends KubeObject>(kind: Kind<T>, options?: ListOptions): Promise<ObjectList<T>>;
  /** Ends when the connection does; a refusal, also one in the stream (410), is thrown. */
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
  /** Server-side apply: the object holds the fields we want, and only those. */
  apply<T extends KubeObject>(
    kind: Kind<T>,
    object: T,
    options: WriteOptions & { fieldManager: string; force?: boolean },
  ): Promise<T>;
  delete(kind: Kind, ref: ObjectRef, options?: DeleteOptions): Promise<void>;
}

const patchContentTypes: Record<PatchType | 'apply', string> = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
};

/** A client on a transport. */
export function client(transport: Transport): Client {
  async function send(request: ApiRequest): Promise<ApiResponse> {
    const response = await transport.request(request);
    if (response.status >= 400) throw new ApiError(response.body as Status, `${request.method} ${request.path}`);
    return response;
  }

  async function object<T>(request: ApiRequest): Promise<T> {
    return (await send(request)).body as T;
  }

  return {
    get: (kind, ref, options) => object({ method: 'GET', path: pathOf(kind, ref), ...signalOf(options) }),

    async find(kind, ref, options) {
      try {
        return await this.get(kind, ref, options);
      } catch (error) {
        if (isRefusal(error, 'NotFound')) return undefined;
        throw error;
      }
    },

    async list<T extends KubeObject>(kind: Kind<T>, options: ListOptions = {}): Promise<ObjectList<T>> {
      const { limit, resourceVersion, resourceVersionMatch } = options;
      const query = {
        ...selectionQuery(options),
        ...(limit !== undefined && { limit: String(limit) }),
        ...(options.continue !== undefined && { continue: options.continue }),
        ...(resourceVersion !== undefined && { resourceVersion }),
        ...(resourceVersionMatch !== undefined && { resourceVersionMatch }),
      };
      const path = collectionPath(kind, options.namespace);
      const list = await object<{ metadata: { resourceVersion: string; continue?: string }; items: T[] }>({
        method: 'GET',
        path,
        query,
        ...signalOf(options),
      });
      const next = list.metadata.continue;
      return {
        // List items carry no apiVersion and kind of their own on the wire.
        items: list.items.map((item) => ({ ...item, apiVersion: kind.apiVersion, kind: kind.kind })),
        resourceVersion: list.metadata.resourceVersion,
        ...(next !== undefined && next !== '' && { continue: next }),
      };
    },

    async *watch<T extends KubeObject>(kind: Kind<T>, options: WatchOptions = {}): AsyncIterable<WatchEvent<T>> {
      const path = collectionPath(kind, options.namespace);
      const query = {
        ...selectionQuery(options),
        watch: 'true',
        ...(options.bookmarks === true && { allowWatchBookmarks: 'true' }),
        ...(options.resourceVersion !== undefined && { resourceVersion: options.resourceVersion }),
      };
      const events = await transport.stream({ method: 'GET', path, query, ...signalOf(options) });
      for await (const event of events) {
        const { type, object: seen } = event as { type: string; object: T };
        if (type === 'ERROR') throw new ApiError(seen as unknown as Status, `WATCH ${path}`);
        yield { type: type as WatchEvent<T>['type'], object: seen };
      }
    },

    create: (kind, body, options) =>
      object({
        method: 'POST',
        path: collectionPath(kind, body.metadata.namespace),
        query: writeQuery(options),
        body,
        ...signalOf(options),
      }),

    update: (kind, body, options) =>
      object({
        method: 'PUT',
        path: pathOf(kind, refOf(body), options?.subresource),
        query: writeQuery(options),
        body,
        ...signalOf(options),
      }),

    patch: (kind, ref, type, body, options) =>
      object({
        method: 'PATCH',
        path: pathOf(kind, ref, options?.subresource),
        query: writeQuery(options),
        headers: { 'content-type': patchContentTypes[type] },
        body,
        ...signalOf(options),
      }),

    apply: (kind, body, options) =>
      object({
        method: 'PATCH',
        path: pathOf(kind, refOf(body), options.subresource),
        query: { ...writeQuery(options), ...(options.force === true && { force: 'true' }) },
        headers: { 'content-type': patchContentTypes.apply },
        body,
        ...signalOf(options),
      }),

    async delete(kind, ref, options = {}) {
      const { propagation, gracePeriodSeconds, preconditions } = options;
      await send({
        method: 'DELETE',
        path: pathOf(kind, ref),
        body: {
          apiVersion: 'v1',
          kind: 'DeleteOptions',
          ...(propagation !== undefined && { propagationPolicy: propagation }),
          ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
          ...(preconditions !== undefined && { preconditions }),
        },
        ...signalOf(options),
      });
    },
  };
}

function pathOf(kind: Kind, ref: ObjectRef, subresource?: string): string {
  const path = `${collectionPath(kind, ref.namespace)}/${encodeURIComponent(ref.name)}`;
  return subresource === undefined ? path : `${path}/${subresource}`;
}

function selectionQuery({ labelSelector, fieldSelector }: Selection): Record<string, string> {
  return {
    ...(labelSelector !== undefined && { labelSelector }),
    ...(fieldSelector !== undefined && { fieldSelector }),
  };
}

function writeQuery(options: WriteOptions = {}): Record<string, string> {
  return {
    ...(options.fieldManager !== undefined && { fieldManager: options.fieldManager }),
    ...(options.dryRun === true && { dryRun: 'All' }),
  };
}

function signalOf(options: { signal?: AbortSignal } = {}): { signal?: AbortSignal } {
  return options.signal === undefined ? {} : { signal: options.signal };
}
