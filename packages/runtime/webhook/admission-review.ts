// SPDX-License-Identifier: Apache-2.0
import type { Status } from '@forge/kube/errors/api-error.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';

/** The request of an AdmissionReview. */
export interface AdmissionRequest {
  uid: string;
  operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  name?: string;
  namespace?: string;
  userInfo: { username?: string; groups?: readonly string[] };
  object?: KubeObject | null;
  oldObject?: KubeObject | null;
}

/** The response of an AdmissionReview. */
export interface AdmissionResponse {
  uid: string;
  allowed: boolean;
  status?: Partial<Status>;
  warnings?: readonly string[];
  patchType?: 'JSONPatch';
  /** Base64 of a JSON patch. */
  patch?: string;
}

/** The AdmissionReview envelope. */
export interface AdmissionReview {
  apiVersion: 'admission.k8s.io/v1';
  kind: 'AdmissionReview';
  request?: AdmissionRequest;
  response?: AdmissionResponse;
}
