// SPDX-License-Identifier: Apache-2.0
import type { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from '@forge/kube/kinds/builtin.ts';
import { webhookPath } from './webhook-path.ts';
import type { Webhook } from './webhook.ts';

/** The webhook configurations, by Service or URL; without a caBundle (PEM in base64), one is filled in later. */
export function webhookConfigurations(
  webhooks: readonly Webhook[],
  { name, namespace, url, caBundle }: { name: string; namespace: string; url?: string; caBundle?: string },
): (MutatingWebhookConfiguration | ValidatingWebhookConfiguration)[] {
  const common = ({ kind }: Webhook, turn: 'mutate' | 'validate') => ({
    // The first letter distinguishes the two webhooks of a kind.
    name: `${turn[0]}${kind.singular}.kb.io`,
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    failurePolicy: 'Fail',
    clientConfig: {
      ...(url === undefined
        ? { service: { name, namespace, path: webhookPath(turn, kind) } }
        : { url: url + webhookPath(turn, kind) }),
      ...(caBundle !== undefined && { caBundle }),
    },
    rules: [
      {
        apiGroups: [kind.group],
        apiVersions: [kind.version],
        resources: [kind.plural],
        // Never DELETE: an operator that is down must not block the deletion of a namespace.
        operations: ['CREATE', 'UPDATE'],
      },
    ],
  });
  const apiVersion = 'admissionregistration.k8s.io/v1';
  const mutating = webhooks.filter((each) => each.default !== undefined).map((each) => common(each, 'mutate'));
  const validating = webhooks.filter((each) => each.validate !== undefined).map((each) => common(each, 'validate'));
  const configurations = [
    { apiVersion, kind: 'MutatingWebhookConfiguration', metadata: { name: `${name}-mutating` }, webhooks: mutating },
    {
      apiVersion,
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: `${name}-validating` },
      webhooks: validating,
    },
  ] as const;
  return configurations.filter((each) => each.webhooks.length > 0);
}
