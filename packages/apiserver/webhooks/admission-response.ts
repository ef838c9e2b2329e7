// SPDX-License-Identifier: Apache-2.0
import type { Status } from '@forge/kube/errors/api-error.ts';
import { isObject, type JsonObject } from '@forge/kube/objects/json.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import type { Schema } from '@forge/kube/schema/schema.ts';
import { decodeTyped } from '../encoding/decode-typed.ts';
import { parseJson } from '../encoding/parse-json.ts';
import { maxPatchOperations } from '../encoding/patch-types.ts';
import { CallFailure } from './calls/call-failure.ts';

/** The response of a webhook. */
export interface AdmissionResponse {
  uid?: string;
  allowed?: boolean;
  status?: Partial<Status>;
  /** A JSON patch in base64. */
  patch?: string;
  patchType?: string;
  warnings?: readonly string[];
}

const text: Schema = { type: 'string' };
const status: Schema = {
  type: 'object',
  properties: { code: { type: 'integer', format: 'int32' }, message: text, reason: text },
  'x-kubernetes-preserve-unknown-fields': true,
};
const schema: Schema = {
  type: 'object',
  properties: {
    response: {
      type: 'object',
      properties: {
        uid: text,
        allowed: { type: 'boolean' },
        status,
        patch: { type: 'string', format: 'byte' },
        patchType: text,
        warnings: { type: 'array', items: text },
      },
    },
  },
};
const struct = { kind: 'AdmissionResponse', version: 'v1' };

const versions = ['admission.k8s.io/v1', 'admission.k8s.io/v1beta1'];

/** Reads the response to this review; throws when it is invalid or for another review. */
export function readAdmissionResponse(answer: unknown, review: JsonObject, mutating: boolean): AdmissionResponse {
  const { apiVersion, request } = review as { apiVersion: string; request: { uid: string } };
  const response = readReview(answer, apiVersion);
  if (response === undefined) throw invalid('webhook response was absent');
  // v1beta1 responses are not checked further, and have one patch type.
  if (apiVersion !== versions[0]) return { ...response, patchType: 'JSONPatch' };
  const { uid = '', patch = '', patchType } = response;
  if (uid !== request.uid) throw invalid(`expected response.uid="${request.uid}", got "${uid}"`);
  if (!mutating && patch !== '') throw invalid('validating webhook may not return response.patch');
  if (!mutating && patchType !== undefined) throw invalid('validating webhook may not return response.patchType');
  if (patch !== '' && patchType === undefined) {
    throw invalid('webhook returned response.patch but not response.patchType');
  }
  if (patch === '' && patchType !== undefined) {
    throw invalid('webhook returned response.patchType but not response.patch');
  }
  return response;
}

/** The operations of a response's JSON patch. */
export function patchOperationsOf({ patch = '', patchType = '' }: AdmissionResponse): readonly unknown[] {
  if (patch === '') return [];
  const operations = parsed(Buffer.from(patch, 'base64'));
  if (!Array.isArray(operations)) {
    throw undecodable(`json: cannot unmarshal ${typeof operations} into Go value of type jsonpatch.Patch`);
  }
  if (patchType !== 'JSONPatch') throw new CallFailure(`unsupported patch type "${patchType}"`);
  if (operations.length > maxPatchOperations) {
    const size = `maximum operations in a JSON patch is ${maxPatchOperations}, got ${operations.length}`;
    throw invalid(`the allowed ${size}`);
  }
  return operations as unknown[];
}

function parsed(bytes: Buffer): unknown {
  try {
    return parseJson(bytes).value;
  } catch (error) {
    throw undecodable((error as SyntaxError).message);
  }
}

function readReview(answer: unknown, expected: string): AdmissionResponse | undefined {
  if (!isObject(answer))
    throw failed(`couldn't get version/kind; json parse error: ${mismatch(answer, `value of type ${head}`)}`);
  const { apiVersion = expected, kind = 'AdmissionReview', response = null } = answer as Record<string, string>;
  if (kind !== 'AdmissionReview' || !versions.includes(apiVersion)) {
    throw failed(`no kind "${kind}" is registered for version "${apiVersion}" in scheme "pkg/runtime/scheme.go:111"`);
  }
  if (apiVersion !== expected) {
    const [got, wanted] = [apiVersion, expected].map((each) => `${each.split('/')[1]}.AdmissionReview`);
    throw failed(`converting (${got}) to (${wanted}): unknown conversion`);
  }
  if (response === null) return undefined;
  if (!isObject(response))
    throw failed(mismatch(response, 'struct field AdmissionReview.response of type v1.AdmissionResponse'));
  const { object, problem } = decodeTyped(answer as unknown as KubeObject, struct, schema);
  if (problem !== undefined) throw failed(problem);
  return (object as unknown as { response: AdmissionResponse }).response;
}

function mismatch(value: unknown, place: string): string {
  return `json: cannot unmarshal ${Array.isArray(value) ? 'array' : typeof value} into Go ${place}`;
}

/** Go's name of the type that kube-apiserver decodes first. */
const head = String.raw`struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`;

function invalid(why: string): CallFailure {
  return new CallFailure(`received invalid webhook response: ${why}`);
}

function failed(why: string): CallFailure {
  return new CallFailure(`failed to call webhook: ${why}`);
}

function undecodable(why: string): CallFailure {
  return new CallFailure(`received undecodable patch in webhook response: ${why}`);
}
