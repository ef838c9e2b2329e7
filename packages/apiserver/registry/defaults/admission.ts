// SPDX-License-Identifier: Apache-2.0
import type {
  MatchResources,
  MutatingWebhook,
  RuleWithOperations,
  ServiceReference,
} from '@forge/kube/generated/types.ts';
import type {
  MutatingWebhookConfiguration,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
} from '@forge/kube/kinds/builtin.ts';
import { defaults, eachItem, type Defaults } from './defaults.ts';

const rules = eachItem<RuleWithOperations>(defaults({ scope: '*' }));

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
      rules,
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

const matchResources = defaults<MatchResources>(
  { matchPolicy: 'Equivalent', namespaceSelector: {}, objectSelector: {} },
  { resourceRules: rules, excludeResourceRules: rules },
);

/** Defaults of admission policies. */
export const defaultAdmissionPolicy = defaults<ValidatingAdmissionPolicy>(
  {},
  { spec: defaults({ failurePolicy: 'Fail' }, { matchConstraints: matchResources }) },
);

/** Defaults of bindings of admission policies. */
export const defaultPolicyBinding = defaults<ValidatingAdmissionPolicyBinding>(
  {},
  { spec: defaults({}, { matchResources }) },
);
