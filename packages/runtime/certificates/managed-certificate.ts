// SPDX-License-Identifier: Apache-2.0
import { Secret } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import type { SharedCache } from '../cache/cache.ts';
import { watch, type Access, type Controller, type ReconcileContext } from '../controller/controller.ts';
import { milliseconds } from '../environment/duration.ts';
import { redactApiError } from '../secrets/redact-api-error.ts';
import type { CertificateSource } from './certificate-source.ts';
import { renewCertificates, type StoredCertificates } from './renew-certificates.ts';

/** The options of a self-managed certificate. */
export interface ManagedCertificateOptions {
  /** Names the Service that it is for and, with its use, the Secret: `<name>-<use>-cert`. */
  name: string;
  namespace: string;
  use: 'webhook' | 'metrics';
  /** An additional address of the server, besides its Service. */
  address?: string | undefined;
  /** Where its authorities are published besides the Secret. Default: nowhere. */
  publication?: Publication;
}

/** Objects of others that contain the trusted authorities. */
interface Publication {
  /** There is no certificate until one of them exists. */
  readonly objects: readonly { readonly kind: Kind; readonly name: string }[];
  readonly access: readonly Access[];
  /** Writes the authorities, PEM in base64, wherever they are not yet. */
  publish(authorities: string, context: ReconcileContext): Promise<void>;
}

/** A serving certificate that an operator issues, renews and publishes itself. */
export interface ManagedCertificate {
  /** Renews and publishes it; runs on the leader. */
  controller: Controller;
  /** The serving certificate, for leaders and others alike. */
  source(cache: SharedCache): CertificateSource;
}

/** A certificate in a Secret, with its authorities, under the names of the operator's Service. */
export function managedCertificate(options: ManagedCertificateOptions): ManagedCertificate {
  const { name, namespace, use, address, publication } = options;
  const secretRef = { namespace, name: `${name}-${use}-cert` };
  const labels = { 'app.kubernetes.io/name': name, 'app.kubernetes.io/component': `${use}-certificate` };
  const selector = Object.entries(labels).map((pair) => pair.join('='));
  // Always in the operator's own namespace, whatever it watches.
  const scope = { labels: selector.join(','), namespace };
  const service = `${name}.${namespace}.svc`;
  const hosts = [service, `${service}.cluster.local`, ...(address === undefined ? [] : [address])];
  const { objects = [], access = [] } = publication ?? {};

  const isWanted = ({ cache }: ReconcileContext) =>
    publication === undefined || objects.some(({ kind, name: known }) => cache.get(kind, { name: known }));

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

  return {
    controller: {
      name: `${name}-${use}-certificate`,
      for: Secret,
      scope,
      always: [secretRef],
      watches: objects.map(({ kind, name: known }) =>
        watch(kind, ({ metadata }: KubeObject) => (metadata.name === known ? [secretRef] : [])),
      ),
      access: [
        { kind: Secret, verbs: ['create'], namespace },
        { kind: Secret, verbs: ['update'], ...secretRef },
        ...access,
      ],
      async reconcile(ref, context) {
        if (ref.name !== secretRef.name || !isWanted(context)) return undefined;
        const found = context.cache.get(Secret, secretRef, scope);
        const kept = found && decoded(found);
        const now = context.clock.now();
        const { certificates, checkAt } = renewCertificates(kept, { hosts, now, keys: context.random.keys });
        const authorities = encoded(certificates)['ca.crt'] ?? '';
        // Store a new authority before publishing it, and publish it before it signs.
        const areNew = authorities !== found?.data?.['ca.crt'];
        if (areNew) await storeCertificates(found, certificates, context);
        await publication?.publish(authorities, context);
        if (!areNew && certificates !== kept) await storeCertificates(found, certificates, context);
        return milliseconds(checkAt - now);
      },
    },

    source(cache) {
      const store = cache.open(Secret, scope);
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
