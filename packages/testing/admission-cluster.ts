// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { apiServer } from '@forge/apiserver/api-server.ts';
import { inProcessTransport } from '@forge/apiserver/wire/in-process-transport.ts';
import { client, type Client } from '@forge/kube/client/client.ts';
import { ApiError } from '@forge/kube/errors/api-error.ts';
import type { FieldError } from '@forge/kube/errors/field-error.ts';
import {
  CustomResourceDefinition,
  MutatingWebhookConfiguration,
  Namespace,
  ValidatingWebhookConfiguration,
} from '@forge/kube/kinds/builtin.ts';
import { crdOf } from '@forge/kube/kinds/crd.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { refOf, type KubeObject } from '@forge/kube/objects/object.ts';
import { certificateAuthority } from '@forge/pki/certificate-authority.ts';
import { issueServerCertificate } from '@forge/pki/issue-certificate.ts';
import { sharedCache } from '@forge/runtime/cache/cache.ts';
import type { Random } from '@forge/runtime/environment/random.ts';
import { seededRandom } from '@forge/runtime/environment/seeded-random.ts';
import { virtualClock, type VirtualClock } from '@forge/runtime/environment/virtual-clock.ts';
import { logger } from '@forge/runtime/observability/logger.ts';
import { noMetrics } from '@forge/runtime/observability/metrics.ts';
import { serveWebhooks } from '@forge/runtime/webhook/serve-webhooks.ts';
import { webhookConfigurations } from '@forge/runtime/webhook/webhook-configurations.ts';
import type { Webhook } from '@forge/runtime/webhook/webhook.ts';

/** An API server with custom kinds and, optionally, their webhooks. */
export interface AdmissionCluster extends AsyncDisposable {
  client: Client;
  clock: VirtualClock;
  /** The warnings in responses. */
  warnings: string[];
  /** The requests of webhooks to the API server. */
  webhookRequests: string[];
}

/** Options of an admission cluster. */
interface AdmissionClusterOptions {
  kinds: readonly Kind[];
  /** Namespaces to create. */
  namespaces: readonly string[];
  /** Default: none, as in an installation for one namespace. */
  webhooks?: readonly Webhook[];
}

/** Starts an admission cluster. */
export async function admissionCluster({
  kinds,
  namespaces,
  webhooks = [],
}: AdmissionClusterOptions): Promise<AdmissionCluster> {
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
  for (const kind of kinds) await api.create(CustomResourceDefinition, crdOf(kind));
  for (const name of namespaces) {
    await api.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }
  const webhookRequests: string[] = [];
  const webhookClient = client({
    ...transport,
    request(request) {
      webhookRequests.push(`${request.method} ${request.path}`);
      return transport.request(request);
    },
  });
  if (webhooks.length > 0) await install(webhooks, { api, webhookClient, clock, random }, stack);
  const owned = stack.move();
  return { client: api, clock, warnings, webhookRequests, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** A write: a new object, or a change of an existing one. */
interface TriedWrite<T> {
  /** The resulting object. */
  object: T;
  /** The object before the change. Default: none. */
  before?: T | undefined;
  /** The change, as a merge patch. */
  change: object;
}

/** Why the server rejects a write; empty when it does not. Nothing is stored. */
export async function refusalOf<T extends KubeObject>(
  { client: api }: AdmissionCluster,
  kind: Kind<T>,
  { object, before, change }: TriedWrite<T>,
): Promise<readonly FieldError[]> {
  const ref = refOf(object);
  if (before !== undefined) await api.create(kind, before);
  try {
    if (before === undefined) await api.create(kind, object, { dryRun: true });
    else await api.patch(kind, ref, 'merge', change, { dryRun: true });
    return [];
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return (error.status.details?.causes ?? []) as FieldError[];
  } finally {
    if (before !== undefined) await api.delete(kind, ref);
  }
}

/** Creates an object before the CEL rules of its root schema are added. */
export async function createBeforeRules<T extends KubeObject>(
  { client: api }: AdmissionCluster,
  kind: Kind<T>,
  object: T,
): Promise<void> {
  const { metadata, spec } = crdOf(kind);
  const { 'x-kubernetes-validations': _, ...openAPIV3Schema } = kind.schema;
  const versions = spec.versions.map((version) => ({ ...version, schema: { openAPIV3Schema } }));
  await api.patch(CustomResourceDefinition, metadata, 'merge', { spec: { versions } });
  await api.create(kind, object);
  await api.patch(CustomResourceDefinition, metadata, 'merge', { spec });
}

/** Serves the webhooks like the operator's process, and creates their configurations. */
async function install(
  webhooks: readonly Webhook[],
  context: { api: Client; webhookClient: Client; clock: VirtualClock; random: Random },
  stack: AsyncDisposableStack,
): Promise<void> {
  const { api, webhookClient, clock, random } = context;
  const log = logger({ clock, write: () => {} });
  const cache = sharedCache({ client: api, clock, random, log, fieldManagers: new Set() });
  for (const { kind } of webhooks) cache.open(kind);
  const watching = new AbortController();
  stack.defer(() => watching.abort());
  await cache.start(watching.signal);
  const validity = { now: Date.now(), validDays: 1 };
  const authority = certificateAuthority({ ...validity, name: 'webhooks' });
  const certificate = issueServerCertificate(authority, { ...validity, names: [], addresses: ['127.0.0.1'] });
  const served = stack.use(
    await serveWebhooks({
      address: { host: '127.0.0.1', port: 0 },
      webhooks,
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
  const place = { name: 'operator', namespace: 'forge-system', url, caBundle };
  for (const each of webhookConfigurations(webhooks, place)) {
    if (each.kind === 'MutatingWebhookConfiguration') await api.create(MutatingWebhookConfiguration, each);
    else await api.create(ValidatingWebhookConfiguration, each);
  }
}

/** Fails unless one of the errors is for this field and contains this text. */
export function assertSaid(errors: readonly FieldError[], [field, part]: readonly [string, string]): void {
  const found = errors.some((error) => error.field === field && error.message.includes(part));
  assert.ok(found, `${field}: ${part} not found in ${JSON.stringify(errors, undefined, 1)}`);
}
