// SPDX-License-Identifier: Apache-2.0
import type { Clock } from '@forge/runtime/environment/clock.ts';
import type { Random } from '@forge/runtime/environment/random.ts';
import { logger, type Logger } from '@forge/runtime/observability/logger.ts';
import { accessControl, type AccessOptions } from './access/access-control.ts';
import { preloadDefaultRoles, ensureDefaultRoles } from './access/default-roles.ts';
import { startControllers } from './controllers/start-controllers.ts';
import type { Endpoint } from './controllers/system-objects.ts';
import { encodeResponse, wantsEncoding } from './handler/encode-response.ts';
import { respondDurably } from './handler/respond-durably.ts';
import { respond } from './handler/respond.ts';
import { ResponseWarnings } from './handler/response-warnings.ts';
import { networkConnector, type NodeConnector } from './kubelet/node-connector.ts';
import type { ServerRequest, ServerResponse } from './messages/server-request.ts';
import { policyIndex } from './policies/compiled/policy-index.ts';
import { ResourceRegistry } from './registry/resource-registry.ts';
import { RequestMetrics, type RequestSubject } from './request/request-metrics.ts';
import type { ServerContext } from './request/server-context.ts';
import { TurnsOfUsers } from './request/turns-of-users.ts';
import type { CoreContext } from './resources/core-context.ts';
import { EncodedEvents } from './storage/encoded-events.ts';
import type { Storage } from './storage/storage.ts';
import { Store } from './storage/store.ts';
import { httpsWebhookCaller, type CallWebhook } from './webhooks/calls/call-webhook.ts';
import { webhookIndex } from './webhooks/calls/webhook-index.ts';

/** Options of an embedded API server. */
export interface ApiServerOptions extends AccessOptions {
  clock: Clock;
  random: Random;
  /** Log of the server's own controllers. Default: none. */
  log?: Logger;
  /** Durable storage; objects are kept in memory only without it. */
  storage?: Storage;
  /** A server to fork: its objects and history, in memory; later changes are not shared. */
  forkOf?: Pick<ApiServer, 'store'>;
  /** CIDR of Service cluster IPs. Default: 10.96.0.0/16. */
  serviceCidr?: string;
  /** How kubelets are reached. Default: over the network. */
  nodes?: NodeConnector;
  /** How webhooks are called. Default: over HTTPS. */
  callWebhook?: CallWebhook;
  /** Address of this server for pods; the Service default/kubernetes points to it. */
  endpoint?: Endpoint;
  /** PEM of the CA of this server's certificate; published in every namespace as kube-root-ca.crt. */
  authority?: string;
}

/** A Kubernetes API server without a transport: requests in, responses out. */
export interface ApiServer {
  /** Handles every request; never throws. */
  handle(request: ServerRequest): Promise<ServerResponse>;
  /** The object store, for tests that compact history or fork the server. */
  readonly store: Store;
  close(): Promise<void>;
}

/** Starts an API server on the contents of the storage. */
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
    policies: policyIndex(core.store),
    webhooks: webhookIndex(core.store),
    callWebhook: options.callWebhook ?? httpsWebhookCaller(),
    metrics: new RequestMetrics(),
    events: new EncodedEvents(),
    turns: new TurnsOfUsers(),
  };
  const handle = async (request: ServerRequest): Promise<ServerResponse> => {
    let warnings: ResponseWarnings | undefined;
    const warn = (warning: string): void => (warnings ??= new ResponseWarnings()).add(warning);
    const subject: RequestSubject = {};
    server.metrics.inFlight(request, 1);
    let response = await respondDurably(server.store, request.method, () => respond(server, request, warn, subject));
    server.metrics.inFlight(request, -1);
    server.metrics.recordResponse(subject, response.status);
    if (wantsEncoding(request.headers['accept'])) response = await encodeResponse(server, request, response);
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
