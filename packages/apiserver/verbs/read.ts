// SPDX-License-Identifier: Apache-2.0
import { pathSegmentProblem } from '../formats/names.ts';
import { accepted, type Accepted, allEncodings, type Encoding, textEncodings } from '../messages/negotiate.ts';
import type { ServerResponse } from '../messages/server-request.ts';
import { inSlices } from '../messages/slices.ts';
import { badRequest, notFound } from '../messages/status-errors.ts';
import { continueToken } from '../request/continue-token.ts';
import { listOptionsOf, revisionOf } from '../request/list-options.ts';
import type { ResourceRequest } from '../request/resource-request.ts';
import type { ServerContext } from '../request/server-context.ts';
import { keyOf, prefixOf, type Resource } from '../resources/resource.ts';
import type { StoredObject } from '../storage/stored-object.ts';
import { partialMetadataView } from '../views/partial-metadata.ts';
import { tableView } from '../views/table-view.ts';
import { servedView, objectView, type View } from '../views/view.ts';
import { checkRevisionReached, requestedSnapshot } from './requested-snapshot.ts';
import { selectAll, selectionOf, type ObjectFilter } from './selection.ts';
import { watch } from './watch.ts';

/** The stored object; throws when there is none or its name is invalid. */
export function storedObject(server: ServerContext, request: ResourceRequest): StoredObject {
  const { resource, namespace, name } = request;
  const stored = server.store.current.objects.get(keyOf(resource, namespace, name));
  if (stored === undefined) throw objectNotFound(request);
  return stored;
}

/** The error for a missing object or an invalid name. */
export function objectNotFound({ resource, name }: ResourceRequest): Error {
  const problem = pathSegmentProblem(name);
  if (problem === undefined) return notFound(resource.kind, name);
  return badRequest(`Name parameter invalid: ${JSON.stringify(name)}: ${problem}`);
}

/** Handles GET of an object: always the newest state, so a requested resourceVersion can only be too new. */
export function getObject(server: ServerContext, request: ResourceRequest): ServerResponse {
  const { resourceVersion = '' } = request.query as { resourceVersion?: string };
  if (resourceVersion !== '') checkRevisionReached(server.store, revisionOf(resourceVersion));
  return { status: 200, payload: viewOf(server, request).one(storedObject(server, request)) };
}

/** Handles a list, complete or one page of a consistent snapshot. */
export async function listObjects(server: ServerContext, request: ResourceRequest): Promise<ServerResponse> {
  const { resource, namespace, query } = request;
  const options = listOptionsOf(query, false);
  const selects = selectionOf(resource, query);
  const view = viewOf(server, request);
  const prefix = prefixOf(resource, namespace);
  const { snapshot, from } = requestedSnapshot(server.store, options, prefix);
  // resourceVersion=0 ignores the limit.
  const limit = options.version === '0' && options.continue === '' ? Infinity : options.limit || Infinity;

  const { page, isCut } = await pageOf(snapshot.objects.withPrefix(prefix, from), selects, limit);
  const next = `${page.at(-1)?.key}\0`;
  const metadata = {
    resourceVersion: String(snapshot.revision),
    ...(isCut && {
      continue: continueToken({ revision: snapshot.revision, from: next }, prefix),
      // remainingItemCount is cheap only without selectors.
      ...(selects === selectAll && { remainingItemCount: snapshot.objects.count(prefix, next) }),
    }),
  };
  return { status: 200, payload: view.many(page, metadata) };
}

/** Handles a watch; it ends when the definition of a custom resource changes or is deleted. */
export function watchObjects(server: ServerContext, request: ResourceRequest): ServerResponse {
  const { resource, namespace, query, signal } = request;
  const { version, sendInitialEvents, bookmarks, timeout } = listOptionsOf(query, true);
  const { encoding } = acceptedBy(request, true);
  const revision = version === '' ? 0 : revisionOf(version);
  const initial = sendInitialEvents ?? revision === 0;
  if (initial) checkRevisionReached(server.store, revision);
  const events = watch(server.store, server.clock, {
    prefix: prefixOf(resource, namespace),
    selects: selectionOf(resource, query),
    view: viewOf(server, request),
    from: initial ? undefined : revision === 0 ? server.store.published : revision,
    bookmarks,
    markInitialEnd: sendInitialEvents === true && bookmarks,
    kind: { kind: resource.kind.kind, apiVersion: resource.kind.apiVersion },
    timeout,
    signal: resource.custom
      ? AbortSignal.any([server.resources.removalSignal(resource), ...(signal ? [signal] : [])])
      : signal,
    onStart: () => server.metrics.watchStarted(resource.name),
  });
  return { status: 200, events, encoding };
}

const offered = {
  apiVersion: 'meta.k8s.io/v1',
  forms: ['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList'],
};

/** The negotiated representation; Tables and custom resources have no protobuf encoding. */
function acceptedBy({ resource, headers }: ViewRequest, streams: boolean): Accepted {
  const encodings = (form: string | undefined): readonly Encoding[] =>
    form === 'Table' || (form === undefined && resource.custom) ? textEncodings : allEncodings;
  // Custom resources negotiate the object encoding first, even for watches.
  if (streams && resource.custom) accepted(headers['accept'], { ...offered, encodings });
  return accepted(headers['accept'], { ...offered, encodings, streams });
}

type ViewRequest = { resource: Resource } & Pick<ResourceRequest, 'headers' | 'query'>;

/** The view that the client accepts. */
export function viewOf({ clock, events }: ServerContext, request: ViewRequest): View {
  const { resource, query } = request;
  const { form } = acceptedBy(request, query['watch'] === 'true' || query['watch'] === '1');
  if (form === undefined) return servedView(resource, objectView(resource, events));
  if (form !== 'Table') return partialMetadataView(events);
  return servedView(resource, tableView(resource, { clock, events }, query));
}

/** The first page of selected objects, and whether there are more. */
async function pageOf(
  objects: Iterable<StoredObject>,
  selects: ObjectFilter,
  limit: number,
): Promise<{ page: StoredObject[]; isCut: boolean }> {
  const page: StoredObject[] = [];
  for await (const slice of inSlices(objects, ({ size }) => size)) {
    for (const object of slice) {
      if (!selects(object)) continue;
      if (page.length === limit) return { page, isCut: true };
      page.push(object);
    }
  }
  return { page, isCut: false };
}
