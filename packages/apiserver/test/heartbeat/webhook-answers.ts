// SPDX-License-Identifier: Apache-2.0
import { filled, numbered } from './attack.ts';
import { copiesOf, deepCopies, deepValues, fields } from './hostile-patches.ts';

/** An answer of a webhook that is designed to keep the server busy. */
export interface WebhookAnswer {
  readonly name: string;
  /** The status of the request that the webhook is called for. */
  readonly status: number;
  /** What the webhook sends; `UID` stands for that of the review. */
  readonly text: () => string;
}

/** The largest patch whose base64 fits into an answer, in bytes. */
const patchSize = 2.2 * 1024 * 1024;

const allowed = (more: string) => `{"response":{"uid":"UID","allowed":true,${more}}}`;
const refused = (status: string) => `{"response":{"uid":"UID","allowed":false,"status":{"code":403,${status}}}}`;

const answer = (status: number, name: string, text: () => string): WebhookAnswer => ({ name, status, text });

/** An answer with a patch, as operations or as a text that may be none. */
function patch(status: number, name: string, operations: () => readonly object[] | string): WebhookAnswer {
  return answer(status, `a patch: ${name}`, () => {
    const value = operations();
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return allowed(`"patchType":"JSONPatch","patch":"${Buffer.from(text).toString('base64')}"`);
  });
}

const add = (path: string, value: unknown) => ({ op: 'add', path, value });
const list = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `a${index}` }));

/** The answers to the creation of a custom resource. */
export const webhookAnswers: readonly WebhookAnswer[] = [
  answer(500, 'brackets', () => filled('[')),
  answer(500, 'small values', () => `[${filled('1,')}1]`),
  answer(500, 'as many values as may be', () => `[${numbered((index) => `[${index},1,1]`)}]`),
  answer(500, 'text that is not JSON', () => filled('a"')),
  answer(500, 'empty strings', () => `[${filled('"",')}""]`),
  answer(500, 'escaped characters', () => `"${filled(String.raw`\u0061`)}"`),
  answer(500, 'backslashes', () => `"${filled('\\')}`),
  answer(201, 'unknown fields', () => allowed(numbered((index) => `"a${index}":1`))),
  answer(201, 'warnings', () => allowed(`"warnings":[${numbered((index) => `"a${index}"`)}]`)),
  answer(201, 'a long warning', () => allowed(`"warnings":["${filled('a')}"]`)),
  answer(403, 'many causes', () => refused(`"details":{"causes":[${numbered((index) => `{"field":"a${index}"}`)}]}`)),
  answer(403, 'a long message', () => refused(`"message":"${filled('a')}"`)),
  answer(500, 'a patch that is not base64', () => allowed(`"patchType":"JSONPatch","patch":"${filled('-')}"`)),
  patch(500, 'brackets', () => filled('[', patchSize)),
  patch(201, '10,000 operations', () => [
    add('/spec', { free: {} }),
    ...Array.from({ length: 9999 }, (_, index) => add(`/spec/free/a${index}`, 1)),
  ]),
  patch(201, 'five objects as large as may be', () => [
    add('/spec', { free: {} }),
    ...[1, 2, 3, 4, 5].map((name) => add(`/spec/free/${name}`, fields(19_000))),
  ]),
  patch(201, 'items of a list with keys', () => [add('/spec', { map: list(19_000) })]),
  patch(500, 'as much text as may be', () => [add('/spec', { free: 'a'.repeat(patchSize) })]),
  patch(500, 'copies of a text', () => copiesOf('a'.repeat(1_000_000), 9000)),
  patch(500, 'three copies of a text', () => copiesOf('a'.repeat(1_000_000), 3)),
  patch(500, 'copies of small values', () => copiesOf(fields(19_000), 15)),
  patch(201, 'as many copies of small values as may be', () => copiesOf(fields(19_000), 4)),
  patch(500, 'copies into their own depth', deepCopies),
  patch(500, 'values put into each other', deepValues),
  patch(422, 'invalid labels', () => [
    add('/metadata/labels', Object.fromEntries(list(19_000).map(({ name }) => [`-${name}`, 'a']))),
  ]),
];
