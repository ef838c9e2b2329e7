// SPDX-License-Identifier: Apache-2.0
import { MutatingWebhookConfiguration, Secret, ValidatingWebhookConfiguration } from '@forge/kube/kinds/builtin.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import type { SharedCache } from '../cache/cache.ts';
import { watch, type Controller, type ReconcileContext } from '../controller/controller.ts';
import { redactApiError } from '../secrets/redact-api-error.ts';
import { milliseconds } from '../time/duration.ts';
import type { CertificateSource } from './certificate-source.ts';
import { renewCertificates, type StoredCertificates } from './renew-certificates.ts';

/** The options of self-managed webhook certificates. */
export interface ManagedCertificateOptions {
  /** Names the Service, the Secret (`<name>-webhook-cert`) and the configurations (`<name>-mutating`, `<name>-validating`). */
  name: string;
  namespace: string;
  /** An additional address of the webhooks, besides their Service. */
  address?: string | undefined;
}

/** Serving certificates that an operator issues, renews and publishes itself. */
export interface ManagedCertificate {
  /** Renews the certificates and updates the caBundle of the webhook configurations; runs on the leader. */
  controller: Controller;
  /** The serving certificate, for leaders and others alike. */
  source(cache: SharedCache): CertificateSource;
}

type Configuration = ValidatingWebhookConfiguration | MutatingWebhookConfiguration;

/** Certificates in a Secret, under the names of the operator's Service. */
export function managedCertificate({ name, namespace, address }: ManagedCertificateOptions): ManagedCertificate {
  const secretRef = { namespace, name: `${name}-webhook-cert` };
  const labels = { 'app.kubernetes.io/name': name, 'app.kubernetes.io/component': 'webhook-certificate' };
  const selector = Object.entries(labels).map((pair) => pair.join('='));
  // Always in the operator's own namespace, whatever it watches.
  const watched = { labels: selector.join(','), namespace };
  const service = `${name}.${namespace}.svc`;
  const hosts = [service, `${service}.cluster.local`, ...(address === undefined ? [] : [address])];
  const anchor = { namespace: undefined, name: `${name}-validating` };
  const configurations = [
    { kind: ValidatingWebhookConfiguration, name: anchor.name },
    { kind: MutatingWebhookConfiguration, name: `${name}-mutating` },
  ];
  const ours = new Set([secretRef, ...configurations].map((each) => each.name));
  const toAnchor = ({ metadata }: KubeObject) => (ours.has(metadata.name) ? [anchor] : []);

  async function storeCertificates(
    found: Secret | undefined,
    kept: StoredCertificates,
    { client, signal }: ReconcileContext,
  ): Promise<void> {
    const secret: Secret = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { ...found?.metadata, ...secretRef, labels },
      type: 'kubernetes.io/tls',
      data: encoded(kept),
    };
    const write =
      found === undefined ? client.create(Secret, secret, { signal }) : client.update(Secret, secret, { signal });
    await redactApiError(secret, write);
  }

  async function updateCaBundles(authorities: string, { client, cache, signal }: ReconcileContext): Promise<void> {
    for (const { kind, name: known } of configurations) {
      const found = cache.get<Configuration>(kind, { name: known });
      const webhooks = (found?.webhooks ?? []).filter(({ clientConfig }) => clientConfig.caBundle !== authorities);
      if (found === undefined || webhooks.length === 0) continue;
      const patch = webhooks.map((each) => ({ name: each.name, clientConfig: { caBundle: authorities } }));
      await client.patch<Configuration>(kind, found.metadata, 'strategic', { webhooks: patch }, { signal });
    }
  }

  return {
    controller: {
      name: `${name}-webhook-certificate`,
      for: ValidatingWebhookConfiguration,
      watches: [watch(MutatingWebhookConfiguration, toAnchor), watch(Secret, toAnchor, watched)],
      access: [
        { kind: Secret, verbs: ['create'], namespace },
        { kind: Secret, verbs: ['update'], ...secretRef },
        ...configurations.map((each) => ({ ...each, verbs: ['patch'] })),
      ],
      async reconcile(ref, context) {
        const { cache } = context;
        const isConfigured = configurations.some((each) => cache.get<Configuration>(each.kind, each) !== undefined);
        if (ref.name !== anchor.name || !isConfigured) return undefined;
        const found = cache.get(Secret, secretRef, watched);
        const kept = found && decoded(found);
        const now = context.clock.now();
        const { certificates, checkAt } = renewCertificates(kept, { hosts, now, keys: context.random.keys });
        const authorities = encoded(certificates)['ca.crt'] ?? '';
        // Store a new authority before publishing it, and publish it before it signs.
        const areNew = authorities !== found?.data?.['ca.crt'];
        if (areNew) await storeCertificates(found, certificates, context);
        await updateCaBundles(authorities, context);
        if (!areNew && certificates !== kept) await storeCertificates(found, certificates, context);
        return milliseconds(checkAt - now);
      },
    },

    source(cache) {
      const store = cache.open(Secret, watched);
      return {
        current: () => servingOf(store.get(secretRef)),
        onChange: (changed) => store.onChange(() => servingOf(store.get(secretRef)) && changed()),
      };
    },
  };
}

const separator = '-----END CERTIFICATE-----\n';

function encoded({ authorities, authorityKey, serving }: StoredCertificates): Record<string, string> {
  const texts = {
    'ca.crt': authorities.join(''),
    'ca.key': authorityKey,
    'tls.crt': serving.cert,
    'tls.key': serving.key,
  };
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString('base64')]));
}

function decoded({ data = {} }: Secret): StoredCertificates {
  const text = (key: string) => Buffer.from(data[key] ?? '', 'base64').toString();
  const authorities = text('ca.crt').split(separator).filter(Boolean);
  return {
    authorities: authorities.map((each) => `${each}${separator}`),
    authorityKey: text('ca.key'),
    serving: { cert: text('tls.crt'), key: text('tls.key') },
  };
}

function servingOf(secret: Secret | undefined): StoredCertificates['serving'] | undefined {
  return secret && decoded(secret).serving;
}
