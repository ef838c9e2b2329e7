// SPDX-License-Identifier: Apache-2.0
import { logger, type Logger } from '@forge/runtime/logging/logger.ts';
import type { Random } from '@forge/runtime/random/random.ts';
import type { Clock } from '@forge/runtime/time/clock.ts';
import { accessControl, type AccessOptions } from './access/access-control.ts';
import { preloadDefaultRoles, ensureDefaultRoles } from './access/default-roles.ts';
import { RequestMetrics, type RequestSubject } from './context/request-metrics.ts';
import type { ServerContext } from './context/server-context.ts';
import { startControllers } from './controllers/start-controllers.ts';
import type { Endpoint } from './controllers/system-objects.ts';
import { encodeResponse, wantsEncoding } from './handler/encode-response.ts';
import { respondDurably } from './handler/respond-durably.ts';
import { respond } from './handler/respond.ts';
import { ResponseWarnings } from './handler/response-warnings.ts';
import { networkConnector, type NodeConnector } from './kubelet/node-connector.ts';
import { ResourceRegistry } from './registry/resource-registry.ts';
import type { ServerRequest, ServerResponse } from './request/server-request.ts';
import type { CoreContext } from './resources/core-context.ts';
import type { Storage } from './storage/storage.ts';
import { Store } from './storage/store.ts';
import { httpsWebhookCaller, type CallWebhook } from './webhooks/call-webhook.ts';
import { webhookIndex } from './webhooks/webhook-index.ts';

/** What an embedded API server is made of. */
export interface ApiServerOptions extends AccessOptions {
  clock: Clock;
  random: Random;
  /** Where the server's own controllers tell what failed; nowhere unless given. */
  log?: Logger;
  /** Where objects survive the process; without it they live in memory. */
  storage?: Storage;
  /** A server whose objects and history this one begins with, in memory; from then on each goes its own way. */
  forkOf?: Pick<ApiServer, 'store'>;
  /** The network Service addresses are taken from; 10.96.0.0/16 unless given. */
  serviceCidr?: string;
  /** How kubelets are reached; over the network unless given. */
  nodes?: NodeConnector;
  /** How webhooks are called; over HTTPS unless given. */
  callWebhook?: CallWebhook;
  /** Where pods find this server; makes the Service default/kubernetes point there. */
  endpoint?: Endpoint;
  /** PEM: who vouches for this server's certificate; every namespace has it, for its pods. */
  authority?: string;
}

/** A Kubernetes API server without a transport: requests in, responses out. */
export interface ApiServer {
  /** Answers every request, faults included; never throws. */
  handle(request: ServerRequest): Promise<ServerResponse>;
  /** Its objects, for tests that compact history or fork the whole server. */
  readonly store: Store;
  close(): Promise<void>;
}

/** Starts an API server on what the storage holds. */
export async function apiServer(options: ApiServerOptions): Promise<ApiServer> {
  const core: CoreContext = {
    store: options.forkOf?.store.fork() ?? new Store(options.storage),
    clock: options.clock,
    random: options.random,
    serviceCidr: options.serviceCidr ?? '10.96.0.0/16',
  };
  const server: ServerContext = {
    ...core,
    log: options.log ?? logger({ clock: options.clock, write() {} }),
    ...accessControl(core, options),
    resources: new ResourceRegistry(),
    nodes: options.nodes ?? networkConnector,
    webhooks: webhookIndex(core.store),
    callWebhook: options.callWebhook ?? httpsWebhookCaller(),
    metrics: new RequestMetrics(),
  };
  const handle = async (request: ServerRequest): Promise<ServerResponse> => {
    let warnings: ResponseWarnings | undefined;
    const warn = (warning: string): void => (warnings ??= new ResponseWarnings()).add(warning);
    const subject: RequestSubject = {};
    server.metrics.inFlight(request, 1);
    let response = await respondDurably(server.store, request.method, () => respond(server, request, warn, subject));
    server.metrics.inFlight(request, -1);
    server.metrics.recordResponse(subject, response.status);
    if (wantsEncoding(request.headers['accept'])) response = await encodeResponse(server.resources, request, response);
    return warnings === undefined ? response : { ...response, warnings: warnings.list() };
  };
  const stopControllers = await startControllers(server, handle, options.endpoint, options.authority);
  if (options.storage !== undefined) ensureDefaultRoles(server);
  else if (options.forkOf === undefined) preloadDefaultRoles(server);
  return {
    handle,
    store: server.store,
    async close() {
      await stopControllers();
      await server.store.close();
    },
  };
}
