// SPDX-License-Identifier: Apache-2.0
import { ApiError } from '@forge/kube/api-error.ts';
import type { Clock } from '@forge/runtime/clock.ts';
import type { Random } from '@forge/runtime/random.ts';
import { authorize, groupAuthorizer, type Authorizer } from './authorize.ts';
import { startControllers } from './controllers/start-controllers.ts';
import type { Endpoint } from './controllers/system-objects.ts';
import { discover } from './discovery/discover.ts';
import { operationsOf } from './dispatch.ts';
import type { NodeConnector } from './node-connector.ts';
import { jsonPayload } from './payload.ts';
import { internalError, methodNotAllowed, refusal, verbNotSupported } from './refusal.ts';
import { parseResourcePath, verbOf } from './request-info.ts';
import { ResourceRegistry } from './resource-registry.ts';
import type { ResourceRequest } from './resource-request.ts';
import type { ServerContext } from './server-context.ts';
import type { ServerRequest, ServerResponse } from './server-request.ts';
import type { Storage } from './storage/storage.ts';
import { Store } from './storage/store.ts';

/** What an embedded API server is made of. */
export interface ApiServerOptions {
  clock: Clock;
  random: Random;
  /** Where objects survive the process; without it they live in memory. */
  storage?: Storage;
  /** A server whose objects and history this one begins with, in memory; from then on each goes its own way. */
  forkOf?: Pick<ApiServer, 'store'>;
  /** The network Service addresses are taken from; 10.96.0.0/16 unless given. */
  serviceCidr?: string;
  /** How pod logs are reached. */
  nodes?: NodeConnector;
  /** Where pods find this server; makes the Service default/kubernetes point there. */
  endpoint?: Endpoint;
}

/** A Kubernetes API server without a transport: requests in, responses out. */
export interface ApiServer {
  /** Answers every request, faults included; never throws. */
  handle(request: ServerRequest): Promise<ServerResponse>;
  /** Its objects, for tests that compact history or fork the whole server. */
  readonly store: Store;
  close(): Promise<void>;
}

const publicPaths = new Set(['/healthz', '/livez', '/readyz', '/version']);

/** Starts an API server on what the storage holds. */
export async function apiServer(options: ApiServerOptions): Promise<ApiServer> {
  const server: ServerContext = {
    store: options.forkOf?.store.fork() ?? new Store(options.storage),
    resources: new ResourceRegistry(),
    clock: options.clock,
    random: options.random,
    serviceCidr: options.serviceCidr ?? '10.96.0.0/16',
    nodes: options.nodes,
  };
  const handle = async (request: ServerRequest): Promise<ServerResponse> => {
    const warnings = new Set<string>();
    const warn = (warning: string): void => void warnings.add(warning);
    const answer = async (): Promise<ServerResponse> => {
      const response = await respond(server, groupAuthorizer, request, warn);
      await server.store.durable();
      return response;
    };
    const response = await answer().catch(failure);
    return warnings.size === 0 ? response : { ...response, warnings: [...warnings] };
  };
  const stopControllers = await startControllers(server, handle, options.endpoint);
  return {
    handle,
    store: server.store,
    async close() {
      await stopControllers();
      await server.store.close();
    },
  };
}

async function respond(
  server: ServerContext,
  authorizer: Authorizer,
  request: ServerRequest,
  warn: ResourceRequest['warn'],
): Promise<ServerResponse> {
  const { path, query, headers, method, user } = request;
  if (user === undefined && !publicPaths.has(path)) throw refusal(401, 'Unauthorized', 'Unauthorized');
  const discovered = discover(server, request);
  if (discovered !== undefined) return discovered;

  const target = parseResourcePath(path);
  const resource = target && server.resources.find(target.group, target.version, target.plural);
  if (user === undefined || target === undefined || resource === undefined) return notServed(server, path);
  const operations = operationsOf(resource, target.subresource);
  if (operations === undefined) return notServed(server, path);
  const namespaced = resource.kind.scope === 'Namespaced';
  if (!namespaced && target.namespace !== undefined) return notServed(server, path);

  const watching = query['watch'] === 'true' || query['watch'] === '1';
  const verb = verbOf(method, target.name !== undefined, watching);
  const operation = verb && operations[verb];
  if (verb === undefined) throw methodNotAllowed();
  if (operation === undefined) throw resource.custom ? verbNotSupported(resource.kind, verb) : methodNotAllowed();
  // All namespaces together can only be looked at.
  if (namespaced && target.namespace === undefined && verb !== 'list' && verb !== 'watch') throw methodNotAllowed();
  authorize(authorizer, user, { verb, path: target });
  const { namespace, name = '', subresource } = target;
  const { body, signal } = request;
  return operation(server, {
    resource,
    namespace,
    name,
    subresource,
    method,
    query,
    headers,
    body,
    user,
    signal,
    warn,
  });
}

/** What the server says to a path it does not serve; within a group of its own it says so in the API's words. */
function notServed({ resources }: ServerContext, path: string): ServerResponse {
  const [, root, name] = path.split('/');
  const group = root === 'api' ? '' : root === 'apis' ? name : undefined;
  if (!resources.all().some(({ kind, custom }) => !custom && kind.group === group)) {
    return { status: 404, text: '404 page not found\n' };
  }
  throw refusal(404, 'NotFound', 'the server could not find the requested resource', {});
}

function failure(error: unknown): ServerResponse {
  const { status } = error instanceof ApiError ? error : internalError((error as Error).message);
  return { status: status.code ?? 500, payload: jsonPayload(status) };
}
