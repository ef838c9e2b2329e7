// SPDX-License-Identifier: Apache-2.0
import type { Status } from '@forge/kube/errors/api-error.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';

/** What an API server asks a webhook. */
export interface AdmissionRequest {
  uid: string;
  operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  name?: string;
  namespace?: string;
  userInfo: { username?: string; groups?: readonly string[] };
  object?: KubeObject | null;
  oldObject?: KubeObject | null;
}

/** What a webhook answers. */
export interface AdmissionResponse {
  uid: string;
  allowed: boolean;
  status?: Partial<Status>;
  warnings?: readonly string[];
  patchType?: 'JSONPatch';
  /** Base64 of a JSON patch. */
  patch?: string;
}

/** The envelope of both. */
export interface AdmissionReview {
  apiVersion: 'admission.k8s.io/v1';
  kind: 'AdmissionReview';
  request?: AdmissionRequest;
  response?: AdmissionResponse;
}
