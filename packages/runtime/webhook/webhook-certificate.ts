// SPDX-License-Identifier: Apache-2.0
import { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from '@forge/kube/kinds/builtin.ts';
import {
  managedCertificate,
  type ManagedCertificate,
  type ManagedCertificateOptions,
} from '../certificates/managed-certificate.ts';
import type { ReconcileContext } from '../controller/controller.ts';

type Configuration = ValidatingWebhookConfiguration | MutatingWebhookConfiguration;

/**
 * The self-managed certificate of an operator's webhooks: the caBundle of its configurations, `<name>-mutating` and
 * `<name>-validating`, is kept current.
 */
export function webhookCertificate(
  options: Omit<ManagedCertificateOptions, 'use' | 'publication'>,
): ManagedCertificate {
  const { name } = options;
  const objects = [
    { kind: ValidatingWebhookConfiguration, name: `${name}-validating` },
    { kind: MutatingWebhookConfiguration, name: `${name}-mutating` },
  ];

  async function publish(authorities: string, { client, cache, signal }: ReconcileContext): Promise<void> {
    for (const { kind, name: known } of objects) {
      const found = cache.get<Configuration>(kind, { name: known });
      const webhooks = (found?.webhooks ?? []).filter(({ clientConfig }) => clientConfig.caBundle !== authorities);
      if (found === undefined || webhooks.length === 0) continue;
      const patch = webhooks.map((each) => ({ name: each.name, clientConfig: { caBundle: authorities } }));
      await client.patch<Configuration>(kind, found.metadata, 'strategic', { webhooks: patch }, { signal });
    }
  }

  const access = objects.map((each) => ({ ...each, verbs: ['patch'] }));
  return managedCertificate({ ...options, use: 'webhook', publication: { objects, access, publish } });
}
