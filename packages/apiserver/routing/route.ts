// SPDX-License-Identifier: Apache-2.0
import { decodePath, verbOf, type ResourcePath } from '../messages/request-info.ts';
import type { ServerRequest, ServerResponse } from '../messages/server-request.ts';
import { methodNotAllowed, notFound, notServed, verbNotSupported } from '../messages/status-errors.ts';
import type { RequestSubject } from '../request/request-metrics.ts';
import type { ResourceRequest } from '../request/resource-request.ts';
import type { ServerContext } from '../request/server-context.ts';
import { operationsOf } from './operations.ts';

/** Finds the operation of an authorized request and runs it; sets the subject for metrics. Throws API errors. */
export function route(
  server: ServerContext,
  request: ServerRequest,
  target: ResourcePath | undefined,
  { user, warn }: Pick<ResourceRequest, 'user' | 'warn'>,
  subject: RequestSubject,
): ServerResponse | Promise<ServerResponse> {
  const { path, query, headers, method, search, signal, remoteAddress, readBody } = request;
  const resource = target && server.resources.find(target.group, target.version, target.plural);
  if (target === undefined || resource === undefined) return notFoundAt(server, path);
  if (resource.deprecation !== undefined) warn(resource.deprecation);
  const { namespace, name = '', subresource, subpath } = target;
  const operations = operationsOf(resource, subresource);
  const namespaced = resource.kind.scope === 'Namespaced';
  // Reviews are posted to a collection without objects.
  const isUnnamed = subresource === undefined && name !== '' && operations?.get === undefined;
  if (operations === undefined && resource.custom) throw notFound(resource.kind, name);
  if (operations === undefined || isUnnamed || (!namespaced && namespace !== undefined))
    return notFoundAt(server, path);

  // OPTIONS has no verb, but is proxied.
  const isProxiedOptions = method === 'OPTIONS' && subresource === 'proxy';
  const verb = isProxiedOptions ? 'get' : verbOf(method, name !== '', query);
  if (verb === undefined || (name === '' && (verb === 'update' || verb === 'patch'))) throw methodNotAllowed();
  // A custom resource can be created at any path: its name comes from the body.
  if (verb === 'create' && name !== '' && subresource === undefined && !resource.custom) throw methodNotAllowed();
  subject.resource = resource;
  subject.verb = subresource === undefined ? verb : `${verb}/${subresource}`;
  const operation = operations[verb];
  if (operation === undefined) throw resource.custom ? verbNotSupported(resource.kind, verb) : methodNotAllowed();
  // Across all namespaces only list and watch are possible.
  if (namespaced && namespace === undefined && verb !== 'list' && verb !== 'watch') throw methodNotAllowed();
  const answer = (body: unknown): ServerResponse | Promise<ServerResponse> =>
    operation(server, {
      resource,
      namespace,
      name,
      subresource,
      path: decodePath(path),
      subpath,
      method,
      query,
      search,
      headers,
      body,
      user,
      remoteAddress,
      signal,
      warn,
    });
  // The body is read only after authorization.
  return readBody === undefined ? answer(request.body) : readBody().then(answer);
}

/** 404 for a path that is not served; as a Status within a built-in API group. */
function notFoundAt({ resources }: ServerContext, path: string): ServerResponse {
  const [, root, name] = path.split('/');
  const group = root === 'api' ? '' : root === 'apis' ? name : undefined;
  if (resources.all().some(({ kind, custom }) => !custom && kind.group === group)) throw notServed();
  return { status: 404, text: '404 page not found\n' };
}
