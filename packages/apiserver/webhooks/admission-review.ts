// SPDX-License-Identifier: Apache-2.0
import type { JsonObject } from '@forge/kube/objects/json.ts';
import type { AdmissionAttributes } from '../matching/admission-attributes.ts';
import { objectIn, requestOf } from '../matching/admission-request.ts';
import type { Invocation } from './match-webhook.ts';

/** The AdmissionReview to send, in the first supported version of the webhook. */
export function reviewOf(uid: string, attributes: AdmissionAttributes, { webhook, version }: Invocation): JsonObject {
  const understood = webhook.admissionReviewVersions.find((each) => each === 'v1' || each === 'v1beta1') ?? 'v1';
  const { object, before } = attributes;
  return {
    kind: 'AdmissionReview',
    apiVersion: `admission.k8s.io/${understood}`,
    request: {
      uid,
      ...requestOf(attributes, version),
      object: objectIn(attributes, object, version) ?? null,
      oldObject: objectIn(attributes, before, version) ?? null,
    },
  };
}
