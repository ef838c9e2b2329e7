// SPDX-License-Identifier: Apache-2.0
import { nested, filled, numbered, post, reviews, size, type Attack } from './attack.ts';

const review = '"kind":"SelfSubjectAccessReview","apiVersion":"authorization.k8s.io/v1"';

/** JSON texts, also with unknown and duplicate fields; a user without permissions can send each. */
export const jsonAttacks: readonly Attack[] = [
  post(400, 'brackets', () => filled('[')),
  { ...post(400, 'a body in chunks of one byte', () => filled('a', 500_000)), inBytes: true },
  post(400, 'braces', () => filled('{"a":')),
  post(400, 'a list nested deep', () => `${filled('[', size / 2)}${filled(']', size / 2)}`),
  post(400, 'quotes', () => filled('"')),
  post(400, 'backslashes', () => `"${filled('\\')}`),
  post(422, 'backslashes, closed', () => `{"a":"${filled('\\\\')}"}`),
  post(422, 'escaped quotes', () => `{"a":"${filled(String.raw`\"`)}"}`),
  post(422, 'spaces', () => `${filled(' ')}{}`),
  post(413, 'numbers', () => `[${filled('1,')}1]`),
  post(413, 'an error at the end', () => `{"a":[${filled('1,')}]}`),
  post(413, 'empty strings, an error at the end', () => `[${filled('"",')}`),
  post(413, 'too many items', () => `{${review},"a":[${filled('1,')}1]}`),
  post(413, 'too many fields', () => `{${review}${filled(',"a":1')}}`),
  post(400, 'one number', () => filled('1')),
  post(422, 'unknown fields', () => `{${review},${numbered((index) => `"f${index}":1`)}}`),
  post(
    400,
    'unknown fields, strict',
    () => `{${review},${numbered((index) => `"f${index}":1`)}}`,
    `${reviews}?fieldValidation=Strict`,
  ),
  post(
    422,
    'unknown fields with long names',
    () => `{${review},${numbered((index) => `"${'f'.repeat(1000)}${index}":1`)}}`,
  ),
  post(
    201,
    'unknown fields, nested',
    () => `{${review},"spec":{"resourceAttributes":{${numbered((index) => `"f${index}":1`)}}}}`,
  ),
  post(400, 'an unknown field nested deep', () => `{${review},"a":${nested(9000)}}`),
  post(413, 'duplicate fields', () => `{${review},${filled('"a":1,')}"a":1}`),
  post(413, 'duplicate fields, different', () => `{${review},${numbered((index) => `"f${index}":1,"f${index}":1`)}}`),
  post(
    413,
    'duplicate fields, nested deep',
    () => `{${review},"a":${'{"a":'.repeat(9000)}{${filled('"a":1,', size / 2)}"b":1}${'}'.repeat(9000)}}`,
  ),
  post(422, 'duplicate fields in many lists', () => `{${review},"a":[${numbered(() => '{"a":1,"a":1}')}]}`),
  post(413, 'a wrong type', () => `{${review},"spec":{"resourceAttributes":{"name":[${filled('1,')}1]}}}`),
];
