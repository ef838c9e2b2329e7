// SPDX-License-Identifier: Apache-2.0
import type { PodBehavior } from '@forge/cluster/fake-node/pod-status.ts';
import type { Pod } from '@forge/kube/kinds/builtin.ts';
import type { HttpClient } from '@forge/runtime/http/http-client.ts';
import { HttpError } from '@forge/runtime/http/http-error.ts';
import { openbaoPods, type OpenBaoPods } from '@forge/simulation/openbao/openbao-pods.ts';
import type { ProcessContext } from '@forge/simulation/scenario/scenario.ts';
import { installKind } from '@forge/testing/install-kind.ts';
import { observedResource, type ObservedResource } from '@forge/testing/observed-resource.ts';
import { startOperator, type StartedOperator, type StartOptions } from '@forge/testing/start-operator.ts';
import { testCluster, type TestCluster } from '@forge/testing/test-cluster.ts';
import { OpenBaoCluster } from '../api/openbao-cluster.ts';
import { openbaoApi } from '../clients/openbao-api.ts';
import type { OpenBaoServer, OpenBaoTransport } from '../clients/openbao-call.ts';
import { rememberedLogins } from '../clients/remembered-logins.ts';
import type { Services } from '../clients/services.ts';
import { openbaoController } from '../reconcile.ts';
import { createApiServerService } from './api-server-service.ts';
import { home } from './openbao-fixture.ts';

/** The operator on a test cluster whose pods have fake servers, with the permissions of its manifests and no others. */
export interface StartedOpenBaoOperator extends StartedOperator, ObservedResource {
  readonly cluster: TestCluster;
  readonly servers: OpenBaoPods;
  /** The calls to the servers since the last call: `GET demo-0 sys/health`. */
  calls(): string[];
  /** How the server that was called last has to prove who it is. */
  trust(): Pick<OpenBaoServer, 'ca' | 'serverName'> | undefined;
  /** The resource as it is. */
  resource(): Promise<OpenBaoCluster>;
}

interface StartOpenBaoOptions extends StartOptions {
  /** Namespace of the operator's own pod; undefined outside of the cluster. Default: openbao-system. */
  ownNamespace?: string | undefined;
  /** How a pod behaves; undefined as its server is. */
  behavior?: (pod: Pod) => PodBehavior | undefined;
  /** Whether the reply to a call such as `PUT demo-0 sys/init` is lost, after what it asked for is done. Default: none is. */
  losesReply?: (call: string) => boolean;
}

const operatorNamespace = 'openbao-system';

/** Starts it; an observer is notified of what the operator says. */
export async function startOpenBaoOperator(options: StartOpenBaoOptions = {}): Promise<StartedOpenBaoOperator> {
  await using stack = new AsyncDisposableStack();
  const servers = openbaoPods();
  const { behavior = () => undefined, losesReply = () => false } = options;
  const cluster = stack.use(
    await testCluster({ behavior: (pod) => behavior(pod) ?? (servers.isUnsealed(pod) ? {} : { ready: 'never' }) }),
  );
  await installKind(cluster, OpenBaoCluster);
  const host = hostOf(cluster);
  await createApiServerService(cluster.client);
  await servers.process.start(host);
  const calls: string[] = [];
  const { ownNamespace } = { ownNamespace: operatorNamespace, ...options };
  const record = (call: string) => calls.push(call);
  let last: Pick<OpenBaoServer, 'ca' | 'serverName'> | undefined;
  const services = servicesOf(servers, host, {
    ownNamespace,
    losesReply,
    record,
    connected: (trust) => (last = trust),
  });
  const tested = {
    lease: { ...home, name: 'openbao-operator' },
    kinds: [OpenBaoCluster],
    controllers: () => [openbaoController(services)],
  };
  const started = stack.use(await startOperator(cluster, tested, options));
  const owned = stack.move();
  return {
    ...started,
    ...observedResource(OpenBaoCluster, home, cluster),
    cluster,
    servers,
    calls: () => calls.splice(0),
    trust: () => last,
    resource: () => cluster.client.get(OpenBaoCluster, home),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** What the process of the servers needs of a cluster. */
function hostOf({ client, clock, random, log }: TestCluster): ProcessContext {
  return {
    name: 'openbao-servers',
    client,
    clock,
    lastingClock: clock,
    random,
    log,
    outside: async (_system, call) => await call(),
    external: (promise) => promise,
    exit: () => {},
  };
}

interface ObservedServices {
  readonly ownNamespace: string | undefined;
  readonly losesReply: (call: string) => boolean;
  readonly record: (call: string) => void;
  readonly connected: (...trust: Parameters<OpenBaoTransport>) => void;
}

function servicesOf(servers: OpenBaoPods, host: ProcessContext, options: ObservedServices): Services {
  const http = servers.reachedBy(host);
  const observed: Pick<HttpClient, 'send'> = {
    async send(request) {
      const { hostname, pathname } = new URL(request.url);
      const call = `${request.method} ${hostname.split('.')[0]} ${pathname.replace('/v1/', '')}`;
      options.record(call);
      const reply = await http.send(request);
      if (!options.losesReply(call)) return reply;
      throw new HttpError(request.method, request.url, { kind: 'broken-response', phase: 'headers' }, undefined);
    },
  };
  const openbao = openbaoApi((trust) => {
    options.connected(trust);
    return { ...observed, stream: () => Promise.reject(new Error('nothing streams here')) };
  });
  const logins = rememberedLogins(host.clock);
  return { reading: { openbao, logins, ownNamespace: options.ownNamespace }, acting: { openbao } };
}
