// SPDX-License-Identifier: Apache-2.0
import { apiServer } from '@forge/apiserver/api-server.ts';
import { inProcessTransport } from '@forge/apiserver/wire/in-process-transport.ts';
import { client, type Client } from '@forge/kube/client/client.ts';
import {
  CustomResourceDefinition,
  MutatingWebhookConfiguration,
  Namespace,
  ValidatingWebhookConfiguration,
} from '@forge/kube/kinds/builtin.ts';
import { crdOf } from '@forge/kube/kinds/crd.ts';
import { certificateAuthority } from '@forge/pki/certificate-authority.ts';
import { issueServerCertificate } from '@forge/pki/issue-certificate.ts';
import { sharedCache } from '@forge/runtime/cache/cache.ts';
import { logger } from '@forge/runtime/logging/logger.ts';
import { noMetrics } from '@forge/runtime/metrics/metrics.ts';
import { seededRandom } from '@forge/runtime/testing/seeded-random.ts';
import { virtualClock, type VirtualClock } from '@forge/runtime/testing/virtual-clock.ts';
import { serveWebhooks } from '@forge/runtime/webhook/serve-webhooks.ts';
import { webhookConfigurations } from '@forge/runtime/webhook/webhook-configurations.ts';
import { keystoneAdmission } from '../admission.ts';
import { Keystone } from '../keystone.ts';

/** An API server that knows the kind and, if asked for, the webhooks. */
export interface AdmissionCluster extends AsyncDisposable {
  client: Client;
  clock: VirtualClock;
  /** What writers were warned of. */
  warnings: string[];
  /** What the webhooks asked the API server for. */
  webhookRequests: string[];
}

/** Starts it, with the namespace of the fixtures. */
export async function admissionCluster({ webhooks }: { webhooks: boolean }): Promise<AdmissionCluster> {
  await using stack = new AsyncDisposableStack();
  const [clock, random] = [virtualClock(), seededRandom()];
  const server = await apiServer({ clock, random });
  stack.defer(() => server.close());
  const warnings: string[] = [];
  const transport = inProcessTransport(server);
  const api = client({
    ...transport,
    async request(request) {
      const response = await transport.request(request);
      warnings.push(...(response.warnings ?? []));
      return response;
    },
  });
  await api.create(CustomResourceDefinition, crdOf(Keystone));
  await api.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'openstack' } });
  const webhookRequests: string[] = [];
  const webhookClient = client({
    ...transport,
    request(request) {
      webhookRequests.push(`${request.method} ${request.path}`);
      return transport.request(request);
    },
  });
  if (webhooks) await install({ api, webhookClient, clock, random }, stack);
  const owned = stack.move();
  return { client: api, clock, warnings, webhookRequests, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** Serves the webhooks as a process of the operator does, and tells the API server of them. */
async function install(
  context: { api: Client; webhookClient: Client; clock: VirtualClock; random: ReturnType<typeof seededRandom> },
  stack: AsyncDisposableStack,
): Promise<void> {
  const { api, webhookClient, clock, random } = context;
  const log = logger({ clock, write: () => {} });
  const cache = sharedCache({ client: api, clock, random, log, fieldManagers: new Set() });
  cache.open(Keystone);
  const watching = new AbortController();
  stack.defer(() => watching.abort());
  await cache.start(watching.signal);
  const validity = { now: Date.now(), validDays: 1 };
  const authority = certificateAuthority({ ...validity, name: 'webhooks' });
  const certificate = issueServerCertificate(authority, { ...validity, names: [], addresses: ['127.0.0.1'] });
  const served = stack.use(
    await serveWebhooks({
      address: { host: '127.0.0.1', port: 0 },
      webhooks: [keystoneAdmission],
      certificate: { current: () => certificate, onChange: () => {} },
      client: webhookClient,
      cache,
      clock,
      log,
      metrics: noMetrics,
    }),
  );
  const url = `https://127.0.0.1:${served.port}`;
  const caBundle = Buffer.from(authority.cert).toString('base64');
  const place = { name: 'keystone-operator', namespace: 'forge-system', url, caBundle };
  for (const each of webhookConfigurations([keystoneAdmission], place)) {
    if (each.kind === 'MutatingWebhookConfiguration') await api.create(MutatingWebhookConfiguration, each);
    else await api.create(ValidatingWebhookConfiguration, each);
  }
}
