// SPDX-License-Identifier: Apache-2.0
import type {
  MutatingWebhookConfiguration,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
} from '@forge/kube/kinds/builtin.ts';
import type { Strategy } from '../../resources/resource.ts';
import { validateAdmissionPolicy, validatePolicyBinding } from '../../validation/admission/policies.ts';
import { validateWebhooks } from '../../validation/admission/webhooks.ts';
import { staticNameWarnings } from '../../warnings/admission.ts';
import {
  defaultAdmissionPolicy,
  defaultMutatingWebhooks,
  defaultPolicyBinding,
  defaultValidatingWebhooks,
} from '../defaults/admission.ts';
import { allMetadata, strategy } from './strategy.ts';

/** By kind. */
export const admissionStrategies: Readonly<Record<string, Strategy>> = {
  MutatingWebhookConfiguration: strategy<MutatingWebhookConfiguration>({
    default: defaultMutatingWebhooks,
    validate: validateWebhooks,
    requiresVersionOnUpdate: true,
    generation: true,
  }),
  ValidatingAdmissionPolicy: strategy<ValidatingAdmissionPolicy>({
    default: defaultAdmissionPolicy,
    prepareForCreate: (policy) => ({ ...policy, status: {} }),
    validate: validateAdmissionPolicy,
    warnings: staticNameWarnings,
    requiresVersionOnUpdate: true,
    generation: true,
    metadataKeptOnStatusUpdate: allMetadata,
  }),
  ValidatingAdmissionPolicyBinding: strategy<ValidatingAdmissionPolicyBinding>({
    default: defaultPolicyBinding,
    validate: validatePolicyBinding,
    warnings: staticNameWarnings,
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
