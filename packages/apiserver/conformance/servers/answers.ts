// SPDX-License-Identifier: Apache-2.0
import type { JsonObject } from '@forge/kube/objects/json.ts';

/** The AdmissionReview sent to a webhook. */
export interface Review {
  apiVersion: string;
  kind: string;
  request: { uid: string; namespace?: string; object: { metadata?: { labels?: object } } | null } & JsonObject;
}

/** What a webhook returns for a review: a response, or raw text. */
export type Respond = (
  review: Review,
) => { response: JsonObject } | { status?: number; contentType?: string; text: string };

const allow: Respond = () => ({ response: { allowed: true } });

function patch(...operations: readonly JsonObject[]): Respond {
  return () => ({
    response: {
      allowed: true,
      patchType: 'JSONPatch',
      patch: Buffer.from(JSON.stringify(operations)).toString('base64'),
    },
  });
}

/** Appends a letter to a label. */
function letter(text: string): Respond {
  return (sent) => {
    const labels = (sent.request.object?.metadata?.labels ?? {}) as { letters?: string };
    return patch({
      op: 'add',
      path: '/metadata/labels',
      value: { ...labels, letters: `${labels.letters ?? ''}${text}` },
    })(sent);
  };
}

function deny(status?: JsonObject): Respond {
  return () => ({ response: { allowed: false, ...(status !== undefined && { status }) } });
}

function review(response: JsonObject, head: JsonObject = {}): Respond {
  return ({ request: { uid } }) => ({
    text: JSON.stringify({
      apiVersion: 'admission.k8s.io/v1',
      kind: 'AdmissionReview',
      response: { uid, ...response },
      ...head,
    }),
  });
}

/** The answers of webhooks by the last segment of their path. */
export const answers = {
  allow,
  'add-a': letter('a'),
  'add-b': letter('b'),
  'add-unknown-field': patch(
    { op: 'add', path: '/color', value: 'red' },
    { op: 'add', path: '/data/added', value: 'yes' },
  ),
  'add-spec-field': patch(
    { op: 'add', path: '/spec/size', value: 3 },
    { op: 'add', path: '/spec/unknown', value: true },
    { op: 'remove', path: '/spec/color' },
  ),
  'set-replicas': patch({ op: 'add', path: '/spec/replicas', value: 7 }),
  'set-status': patch({ op: 'add', path: '/status', value: { phase: 'Hooked' } }),
  'break-type': patch({ op: 'add', path: '/data', value: 'text' }),
  'break-rules': patch({ op: 'add', path: '/metadata/labels', value: { 'no label!': 'a' } }),
  rename: patch({ op: 'replace', path: '/metadata/name', value: 'renamed' }),
  move: patch({ op: 'replace', path: '/metadata/namespace', value: 'elsewhere' }),
  'forget-managers': patch({ op: 'remove', path: '/metadata/managedFields' }),
  'miss-path': patch({ op: 'replace', path: '/data/nothing/here', value: 'a' }),
  'miss-field': patch({ op: 'remove', path: '/nothing' }),
  'copy-without-end': patch(
    { op: 'add', path: '/data/a', value: 'x'.repeat(1024) },
    ...Array.from({ length: 20 }, (_, step) => ({ op: 'copy', from: '/data', path: `/data/copy-${step}` })),
  ),
  'no-patch': review({ allowed: true, patchType: 'JSONPatch', patch: Buffer.from('{}').toString('base64') }),
  'broken-patch': review({ allowed: true, patchType: 'JSONPatch', patch: Buffer.from('[{').toString('base64') }),
  'other-patch': review({ allowed: true, patchType: 'MergePatch', patch: Buffer.from('[{}]').toString('base64') }),
  'patch-without-type': review({ allowed: true, patch: Buffer.from('[]').toString('base64') }),
  deny: deny(),
  'deny-with-message': deny({ message: 'not today' }),
  'deny-with-reason': deny({ reason: 'Forbidden', code: 403 }),
  'deny-with-details': deny({
    code: 409,
    reason: 'Conflict',
    message: 'not again',
    details: { name: 'a', kind: 'things', causes: [{ reason: 'Because', message: 'of this', field: 'spec' }] },
  }),
  'deny-with-success': deny({ status: 'Success', code: 200, message: 'fine' }),
  warn: () => ({ response: { allowed: true, warnings: ['first', 'second "quoted"', 'first'] } }),
  'warn-and-deny': () => ({ response: { allowed: false, warnings: ['first'] } }),
  'warn-at-length': () => ({
    response: { allowed: true, warnings: Array.from({ length: 20 }, (_, index) => `${index} ${'x'.repeat(300)}`) },
  }),
  'other-uid': () => ({ response: { allowed: true, uid: 'another' } }),
  'other-version': review({ allowed: true }, { apiVersion: 'admission.k8s.io/v2' }),
  'older-version': review({ allowed: true }, { apiVersion: 'admission.k8s.io/v1beta1' }),
  'other-kind': review({ allowed: true }, { kind: 'ConfigMap', apiVersion: 'v1' }),
  'no-response': review({}, { response: undefined }),
  'wrong-allowed': review({ allowed: 'yes' }),
  'wrong-warnings': review({ allowed: true, warnings: 'oh' }),
  'wrong-patch': review({ allowed: true, patch: '#' }),
  'wrong-response': review({}, { response: [] }),
  'no-kind': () => ({ text: '{}' }),
  'no-json': () => ({ text: 'hello' }),
  error: () => ({ status: 500, text: 'broken' }),
  'untyped-error': () => ({ status: 500, contentType: '', text: 'broken' }),
  'plain-error': () => ({ status: 502, contentType: 'text/plain', text: 'broken\n' }),
  'long-error': () => ({ status: 502, contentType: 'text/plain', text: `broken ${'x'.repeat(5000)}` }),
  'not-allowed': () => ({ status: 403, contentType: 'text/plain', text: 'go away' }),
  unavailable: () => ({ status: 503, contentType: 'text/plain', text: 'later' }),
  'error-status': () => ({
    status: 500,
    text: JSON.stringify({ apiVersion: 'v1', kind: 'Status', status: 'Failure', message: 'tired', code: 500 }),
  }),
  teapot: () => ({ status: 418, text: '{}' }),
  'not-found': () => ({ status: 404, text: 'nothing here' }),
  /** Never responds. */
  slow: () => ({ text: '' }),
} satisfies Record<string, Respond>;

export type Answer = keyof typeof answers;
