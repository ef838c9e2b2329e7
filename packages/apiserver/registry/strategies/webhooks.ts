// SPDX-License-Identifier: Apache-2.0
import type { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from '@forge/kube/kinds/builtin.ts';
import type { Strategy } from '../../resources/resource.ts';
import { validateWebhooks } from '../../validation/kinds/webhooks.ts';
import { defaultMutatingWebhooks, defaultValidatingWebhooks } from '../defaults/webhooks.ts';
import { strategy } from './strategy.ts';

/** By kind. */
export const webhookStrategies: Readonly<Record<string, Strategy>> = {
  MutatingWebhookConfiguration: strategy<MutatingWebhookConfiguration>({
    default: defaultMutatingWebhooks,
    validate: validateWebhooks,
    requiresVersionOnUpdate: true,
    generation: true,
  }),
  ValidatingWebhookConfiguration: strategy<ValidatingWebhookConfiguration>({
    default: defaultValidatingWebhooks,
    validate: validateWebhooks,
    requiresVersionOnUpdate: true,
    generation: true,
  }),
};
