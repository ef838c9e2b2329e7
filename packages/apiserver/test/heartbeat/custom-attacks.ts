// SPDX-License-Identifier: Apache-2.0
import { nested, filled, numbered, post, things, type Attack } from './attack.ts';

function custom(spec: () => string): () => string {
  const metadata = '{"generateName":"a","namespace":"default"}';
  return () => `{"kind":"Thing","apiVersion":"example.com/v1","metadata":${metadata},"spec":{${spec()}}}`;
}

/** Objects of a custom resource. */
export const customAttacks: readonly Attack[] = [
  post(
    'items of a list by key',
    custom(() => `"map":[${numbered((index) => `{"name":"a${index}"}`)}]`),
    things,
    'editor',
  ),
  post(
    'equal items of a list by key',
    custom(() => `"map":[${numbered(() => `{"name":"a"}`)}]`),
    things,
    'editor',
  ),
  post(
    'items of a set',
    custom(() => `"set":[${numbered((index) => `"a${index}"`)}]`),
    things,
    'editor',
  ),
  post(
    'equal items of a set',
    custom(() => `"set":[${numbered(() => '"a"')}]`),
    things,
    'editor',
  ),
  post(
    'strings against a pattern',
    custom(() => `"patterns":[${numbered((index) => `"${'a'.repeat(600)}${index}"`)}]`),
    things,
    'editor',
  ),
  post(
    'short strings against a pattern',
    custom(() => `"patterns":[${numbered((index) => `"${index}"`)}]`),
    things,
    'editor',
  ),
  post(
    'one long string against a pattern',
    custom(() => `"patterns":["${filled('a')}!"]`),
    things,
    'editor',
  ),
  post(
    'values outside an enum',
    custom(() => `"enums":[${numbered((index) => `"${index}"`)}]`),
    things,
    'editor',
  ),
  post(
    'values of a wrong type',
    custom(() => `"enums":[${filled('1,')}1]`),
    things,
    'editor',
  ),
  post(
    'values of a format',
    custom(() => `"dates":[${numbered(() => '"2020"')}]`),
    things,
    'editor',
  ),
  post(
    'fields that a schema does not have',
    custom(() => numbered((index) => `"f${index}":1`)),
    things,
    'editor',
  ),
  post(
    'free fields',
    custom(() => `"free":{${numbered((index) => `"f${index}":1`)}}`),
    things,
    'editor',
  ),
  post(
    'free fields nested 9,000 deep',
    custom(() => `"free":${nested(9000)}`),
    things,
    'editor',
  ),
  post(
    'free fields nested 3,000 deep',
    custom(() => `"free":${nested(3000)}`),
    things,
    'editor',
  ),
  post(
    'free fields nested 900 deep',
    custom(() => `"free":${nested(900)}`),
    things,
    'editor',
  ),
  post(
    'a list for a rule',
    custom(() => `"ruled":[${numbered((index) => `"a${index}"`)}]`),
    things,
    'editor',
  ),
  post(
    'a map for a rule',
    custom(() => `"ruledMap":{${numbered((index) => `"a${index}":1`)}}`),
    things,
    'editor',
  ),
  post(
    'items with a rule each',
    custom(() => `"ruledItems":[${numbered((index) => `{"a":${index}}`)}]`),
    things,
    'editor',
  ),
  post(
    'defaults',
    custom(() => `"defaults":[${numbered(() => '{}')}]`),
    things,
    'editor',
  ),
];
