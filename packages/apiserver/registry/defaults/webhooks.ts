// SPDX-License-Identifier: Apache-2.0
import type { MutatingWebhook, RuleWithOperations, ServiceReference } from '@forge/kube/generated/types.ts';
import type { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from '@forge/kube/kinds/builtin.ts';
import { defaults, eachItem, type Defaults } from './defaults.ts';

const webhookDefaults: Partial<MutatingWebhook> = {
  failurePolicy: 'Fail',
  matchPolicy: 'Equivalent',
  namespaceSelector: {},
  objectSelector: {},
  timeoutSeconds: 10,
};

function webhook(more: Partial<MutatingWebhook>): Defaults<MutatingWebhook> {
  return defaults(
    { ...webhookDefaults, ...more },
    {
      rules: eachItem<RuleWithOperations>(defaults({ scope: '*' })),
      clientConfig: defaults({}, { service: defaults<ServiceReference>({ port: 443 }) }),
    },
  );
}

/** Defaults of webhook configurations. */
export const defaultMutatingWebhooks = defaults<MutatingWebhookConfiguration>(
  {},
  { webhooks: eachItem(webhook({ reinvocationPolicy: 'Never' })) },
);

/** Defaults of webhook configurations. */
export const defaultValidatingWebhooks = defaults<ValidatingWebhookConfiguration>(
  {},
  { webhooks: eachItem(webhook({})) },
);
