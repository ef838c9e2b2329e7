// SPDX-License-Identifier: Apache-2.0
import { nested, filled, numbered, post, reviews, size, type Attack } from './attack.ts';

const review = '"kind":"SelfSubjectAccessReview","apiVersion":"authorization.k8s.io/v1"';

/** JSON texts, and what is made of unknown and duplicate fields; a user without rights may send each. */
export const jsonAttacks: readonly Attack[] = [
  post('brackets', () => filled('[')),
  post('braces', () => filled('{"a":')),
  post('a list nested deep', () => `${filled('[', size / 2)}${filled(']', size / 2)}`),
  post('quotes', () => filled('"')),
  post('backslashes', () => `"${filled('\\')}`),
  post('backslashes, closed', () => `{"a":"${filled('\\\\')}"}`),
  post('escaped quotes', () => `{"a":"${filled(String.raw`\"`)}"}`),
  post('spaces', () => `${filled(' ')}{}`),
  post('numbers', () => `[${filled('1,')}1]`),
  post('an error at the end', () => `{"a":[${filled('1,')}]}`),
  post('empty strings, an error at the end', () => `[${filled('"",')}`),
  post('too many items', () => `{${review},"a":[${filled('1,')}1]}`),
  post('too many fields', () => `{${review}${filled(',"a":1')}}`),
  post('one number', () => filled('1')),
  post('unknown fields', () => `{${review},${numbered((index) => `"f${index}":1`)}}`),
  post(
    'unknown fields, strict',
    () => `{${review},${numbered((index) => `"f${index}":1`)}}`,
    `${reviews}?fieldValidation=Strict`,
  ),
  post('unknown fields with long names', () => `{${review},${numbered((index) => `"${'f'.repeat(1000)}${index}":1`)}}`),
  post(
    'unknown fields, nested',
    () => `{${review},"spec":{"resourceAttributes":{${numbered((index) => `"f${index}":1`)}}}}`,
  ),
  post('an unknown field nested deep', () => `{${review},"a":${nested(9000)}}`),
  post('duplicate fields', () => `{${review},${filled('"a":1,')}"a":1}`),
  post('duplicate fields, different', () => `{${review},${numbered((index) => `"f${index}":1,"f${index}":1`)}}`),
  post(
    'duplicate fields, nested deep',
    () => `{${review},"a":${'{"a":'.repeat(9000)}{${filled('"a":1,', size / 2)}"b":1}${'}'.repeat(9000)}}`,
  ),
  post('duplicate fields in many lists', () => `{${review},"a":[${numbered(() => '{"a":1,"a":1}')}]}`),
  post('a wrong type', () => `{${review},"spec":{"resourceAttributes":{"name":[${filled('1,')}1]}}}`),
];
