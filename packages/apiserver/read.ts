// SPDX-License-Identifier: Apache-2.0
import { continueToken, readContinueToken } from './continue-token.ts';
import { acceptedJson } from './negotiate.ts';
import { partialMetadataView } from './partial-metadata.ts';
import { badRequest, expired, notFound, refusal } from './refusal.ts';
import type { ResourceRequest } from './resource-request.ts';
import { keyOf, prefixOf, type Resource } from './resource.ts';
import { everything, selectionOf } from './selection.ts';
import type { ServerContext } from './server-context.ts';
import type { ServerResponse } from './server-request.ts';
import type { Snapshot } from './storage/store.ts';
import type { StoredObject } from './storage/stored-object.ts';
import { tableView } from './table/table-view.ts';
import { wholeView, type View } from './view.ts';
import { watch } from './watch.ts';

/** The newest state of the object; throws the server's 404 when there is none. */
export function storedObject(server: ServerContext, { resource, namespace, name }: ResourceRequest): StoredObject {
  const stored = server.store.current.objects.get(keyOf(resource, namespace, name));
  if (stored === undefined) throw notFound(resource.kind, name);
  return stored;
}

/** Answers GET of one object. */
export function getObject(server: ServerContext, request: ResourceRequest): ServerResponse {
  return { status: 200, payload: viewOf(server, request).one(storedObject(server, request)) };
}

/** Answers GET of a collection: all of it, or a page of it as it was when its first page was read. */
export function listObjects(server: ServerContext, request: ResourceRequest): ServerResponse {
  const { resource, namespace, query } = request;
  const selects = selectionOf(resource, query);
  const limit = Number(query['limit'] ?? '0');
  const token = readContinueToken(query['continue']);
  const snapshot = token === undefined ? requestedSnapshot(server, query) : server.store.at(token.revision);
  if (snapshot === undefined) throw expired(pageExpired);

  const prefix = prefixOf(resource, namespace);
  const page: StoredObject[] = [];
  let more = false;
  let remaining = 0;
  for (const object of snapshot.objects.withPrefix(prefix, token?.after)) {
    if (selects !== everything && !selects(object.value)) continue;
    if (limit === 0 || page.length < limit) page.push(object);
    else {
      more = true;
      // Counting what is left is free only when nothing has to be looked at.
      if (selects !== everything) break;
      remaining += 1;
    }
  }
  const last = page.at(-1);
  const metadata = {
    resourceVersion: String(snapshot.revision),
    ...(more && last !== undefined && { continue: continueToken({ revision: snapshot.revision, after: last.key }) }),
    ...(remaining > 0 && { remainingItemCount: remaining }),
  };
  return { status: 200, payload: viewOf(server, request).many(page, metadata) };
}

/** Answers a watch of a collection. */
export function watchObjects(server: ServerContext, request: ResourceRequest): ServerResponse {
  const { resource, namespace, name, query, signal } = request;
  const selects = selectionOf(resource, query);
  const version = query['resourceVersion'] ?? '';
  const initial = query['sendInitialEvents'] === 'true' || version === '' || version === '0';
  const timeout = Number(query['timeoutSeconds'] ?? '0') * 1000;
  const events = watch(server.store, server.clock, {
    prefix: prefixOf(resource, namespace),
    selects: name === '' ? selects : (object) => object.metadata.name === name && selects(object),
    view: viewOf(server, request),
    from: initial ? undefined : revisionOf(version),
    bookmarks: query['allowWatchBookmarks'] === 'true',
    markInitialEnd: query['sendInitialEvents'] === 'true',
    kind: { kind: resource.kind.kind, apiVersion: resource.kind.apiVersion },
    timeout: timeout > 0 ? timeout : undefined,
    signal,
  });
  return { status: 200, events };
}

/** The form the caller accepts objects in. */
export function viewOf(
  { clock }: ServerContext,
  request: { resource: Resource } & Pick<ResourceRequest, 'headers' | 'query'>,
): View {
  for (const { as } of acceptedJson(request.headers['accept'])) {
    if (as === undefined) break;
    if (as === 'Table') return tableView(request.resource, clock, request.query);
    if (as.startsWith('PartialObjectMetadata')) return partialMetadataView();
  }
  return wholeView(request.resource);
}

function requestedSnapshot({ store }: ServerContext, query: Readonly<Record<string, string>>): Snapshot {
  const version = query['resourceVersion'] ?? '';
  if (version === '' || version === '0') return store.current;
  const revision = revisionOf(version);
  if (revision > store.current.revision) {
    const message = `Too large resource version: ${revision}, current: ${store.current.revision}`;
    throw refusal(504, 'Timeout', message, {
      causes: [{ reason: 'ResourceVersionTooLarge', message }],
      retryAfterSeconds: 1,
    });
  }
  if (query['resourceVersionMatch'] !== 'Exact') return store.current;
  const snapshot = store.at(revision);
  if (snapshot === undefined) throw expired(`The resourceVersion for the provided list is too old.`);
  return snapshot;
}

function revisionOf(version: string): number {
  if (!/^\d+$/.test(version))
    throw badRequest(`Invalid value: "${version}": strconv.ParseUint: parsing "${version}": invalid syntax`);
  return Number(version);
}

const pageExpired =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter.';
