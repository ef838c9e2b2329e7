// SPDX-License-Identifier: Apache-2.0
import { nested, filled, numbered, post, storedSize, things, type Attack } from './attack.ts';

function custom(spec: () => string): () => string {
  const metadata = '{"generateName":"a","namespace":"default"}';
  return () => `{"kind":"Thing","apiVersion":"example.com/v1","metadata":${metadata},"spec":{${spec()}}}`;
}

/** Objects of a custom resource. */
export const customAttacks: readonly Attack[] = [
  post(
    201,
    'items of a list by key',
    custom(() => `"map":[${numbered((index) => `{"name":"a${index}"}`)}]`),
    things,
    'editor',
  ),
  post(
    422,
    'equal items of a list by key',
    custom(() => `"map":[${numbered(() => `{"name":"a"}`)}]`),
    things,
    'editor',
  ),
  post(
    201,
    'items of a set',
    custom(() => `"set":[${numbered((index) => `"a${index}"`)}]`),
    things,
    'editor',
  ),
  post(
    422,
    'equal items of a set',
    custom(() => `"set":[${numbered(() => '"a"')}]`),
    things,
    'editor',
  ),
  post(
    201,
    'strings against a pattern',
    custom(() => `"patterns":[${numbered((index) => `"${'a'.repeat(600)}${index}"`, ',', storedSize)}]`),
    things,
    'editor',
  ),
  post(
    201,
    'short strings against a pattern',
    custom(() => `"patterns":[${numbered((index) => `"${index}"`)}]`),
    things,
    'editor',
  ),
  post(
    422,
    'strings that fail a pattern',
    custom(() => `"patterns":[${numbered((index) => `"${'a'.repeat(250)}${index}!"`, ',', storedSize)}]`),
    things,
    'editor',
  ),
  post(
    422,
    'one long string against a pattern',
    custom(() => `"patterns":["${filled('a', storedSize)}!"]`),
    things,
    'editor',
  ),
  post(
    422,
    'values outside an enum',
    custom(() => `"enums":[${numbered((index) => `"${index}"`)}]`),
    things,
    'editor',
  ),
  post(
    422,
    'values of a wrong type',
    custom(() => `"enums":[${numbered(() => '1')}]`),
    things,
    'editor',
  ),
  post(
    422,
    'values of a format',
    custom(() => `"dates":[${numbered(() => '"2020"')}]`),
    things,
    'editor',
  ),
  post(
    201,
    'fields that a schema does not have',
    custom(() => numbered((index) => `"f${index}":1`)),
    things,
    'editor',
  ),
  post(
    201,
    'free fields',
    custom(() => `"free":{${numbered((index) => `"f${index}":1`)}}`),
    things,
    'editor',
  ),
  post(
    400,
    'free fields nested 9,000 deep',
    custom(() => `"free":${nested(9000)}`),
    things,
    'editor',
  ),
  post(
    400,
    'free fields nested 3,000 deep',
    custom(() => `"free":${nested(3000)}`),
    things,
    'editor',
  ),
  post(
    400,
    'free fields nested 900 deep',
    custom(() => `"free":${nested(900)}`),
    things,
    'editor',
  ),
  post(
    201,
    'a list for a rule',
    custom(() => `"ruled":[${numbered((index) => `"a${index}"`)}]`),
    things,
    'editor',
  ),
  post(
    201,
    'a map for a rule',
    custom(() => `"ruledMap":{${numbered((index) => `"a${index}":1`)}}`),
    things,
    'editor',
  ),
  post(
    422,
    'items with a rule each',
    custom(() => `"ruledItems":[${numbered((index) => `{"a":${index}}`)}]`),
    things,
    'editor',
  ),
  post(
    201,
    'defaults',
    custom(() => `"defaults":[${numbered(() => '{}')}]`),
    things,
    'editor',
  ),
];
