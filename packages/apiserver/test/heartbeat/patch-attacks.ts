// SPDX-License-Identifier: Apache-2.0
import {
  nested,
  configMaps,
  deployments,
  filled,
  manager,
  numbered,
  patch,
  size,
  things,
  type Attack,
} from './attack.ts';
import { copiesOf, deepCopies, deepValues, fields } from './hostile-patches.ts';

const json = 'json-patch+json';
const merge = 'merge-patch+json';
const strategic = 'strategic-merge-patch+json';
const map = `${configMaps}/crowded`;
const thing = `${things}/crowded`;
const deployment = `${deployments}/crowded`;

function template(spec: string): string {
  return `{"spec":{"template":{"spec":{${spec}}}}}`;
}

/** Patches of existing objects. */
export const patchAttacks: readonly Attack[] = [
  patch(
    413,
    'operations',
    json,
    map,
    () => `[${numbered((index) => `{"op":"add","path":"/data/b${index}","value":""}`)}]`,
  ),
  patch(
    200,
    '10,000 operations',
    json,
    map,
    () =>
      `[${Array.from({ length: 10_000 }, (_, index) => `{"op":"add","path":"/data/b${index}","value":""}`).join(',')}]`,
  ),
  patch(
    422,
    '10,000 tests of a large object',
    json,
    map,
    () => `[${Array.from({ length: 10_000 }, () => '{"op":"test","path":"","value":{}}').join(',')}]`,
  ),
  patch(
    413,
    'tests of a large value',
    json,
    map,
    () =>
      `[${Array.from({ length: 100 }, () => `{"op":"test","path":"/data","value":{${Array.from({ length: 2000 }, (_, index) => `"a${index}":""`).join(',')}}}`).join(',')}]`,
  ),
  patch(
    413,
    'copies',
    json,
    thing,
    () =>
      `[${Array.from({ length: 10_000 }, (_, index) => `{"op":"copy","from":"/spec/map","path":"/spec/free/a${index}"}`).join(',')}]`,
  ),
  patch(
    413,
    'copies of themselves',
    json,
    thing,
    () =>
      `[${Array.from({ length: 60 }, (_, index) => `{"op":"copy","from":"/spec/free","path":"/spec/free/a${index}"}`).join(',')}]`,
  ),
  patch(422, 'copies of a text', json, thing, () => JSON.stringify(copiesOf('a'.repeat(1_000_000), 9000))),
  patch(413, 'copies of small values', json, thing, () => JSON.stringify(copiesOf(fields(19_000), 15))),
  patch(413, 'as many copies of small values as may be', json, thing, () =>
    JSON.stringify(copiesOf(fields(19_000), 4)),
  ),
  patch(400, 'copies into their own depth', json, thing, () => JSON.stringify(deepCopies())),
  patch(400, 'values put into each other', json, thing, () => JSON.stringify(deepValues())),
  patch(
    200,
    'moves within a list',
    json,
    thing,
    () =>
      `[${Array.from({ length: 10_000 }, () => '{"op":"move","from":"/spec/map/0","path":"/spec/map/-"}').join(',')}]`,
  ),
  patch(
    200,
    'items put in front',
    json,
    thing,
    () =>
      `[${Array.from({ length: 10_000 }, (_, index) => `{"op":"add","path":"/spec/map/0","value":{"name":"b${index}"}}`).join(',')}]`,
  ),
  patch(
    200,
    'items removed from the front',
    json,
    thing,
    () => `[${Array.from({ length: 10_000 }, () => '{"op":"remove","path":"/spec/map/0"}').join(',')}]`,
  ),
  patch(422, 'a long path', json, map, () => `[{"op":"add","path":"${filled('/a')}","value":""}]`),
  patch(
    200,
    'a large value',
    json,
    thing,
    () => `[{"op":"add","path":"/spec/free","value":{${numbered((index) => `"a${index}":1`)}}}]`,
  ),
  patch(400, 'a deep value', json, thing, () => `[{"op":"add","path":"/spec/free","value":${nested(9000)}}]`),
  patch(413, 'fields', merge, map, () => `{"data":{${numbered((index) => `"b${index}":""`)}}}`),
  patch(200, 'fields removed', merge, map, () => `{"data":{${numbered((index) => `"a${index}":null`)}}}`),
  patch(200, 'unknown fields', merge, map, () => `{${numbered((index) => `"b${index}":""`)}}`),
  patch(200, 'free fields', merge, thing, () => `{"spec":{"free":{${numbered((index) => `"b${index}":1`)}}}}`),
  patch(400, 'nested 9,000 deep', merge, thing, () => `{"spec":{"free":${nested(9000)}}}`),
  patch(400, 'nested 9,000 deep, of a map', merge, map, () => nested(9000)),
  patch(400, 'nested 900 deep', merge, thing, () => `{"spec":{"free":${nested(900)}}}`),
  patch(200, 'labels', merge, map, () => `{"metadata":{"labels":{${numbered((index) => `"a${index}":"b"`)}}}}`),
  patch(413, 'containers', strategic, deployment, () =>
    template(`"containers":[${numbered((index) => `{"name":"a${index}","image":"b"}`)}]`),
  ),
  patch(200, 'equal containers', strategic, deployment, () =>
    template(`"containers":[${numbered(() => '{"name":"a","image":"b"}')}]`),
  ),
  patch(422, 'variables', strategic, deployment, () =>
    template(`"containers":[{"name":"keystone","env":[${numbered((index) => `{"name":"A${index}"}`)}]}]`),
  ),
  patch(200, 'deletions', strategic, deployment, () =>
    template(`"containers":[${numbered((index) => `{"name":"a${index}","$patch":"delete"}`)}]`),
  ),
  patch(413, 'replacements', strategic, deployment, () =>
    template(`"containers":[${numbered((index) => `{"name":"a${index}","$patch":"replace"}`)}]`),
  ),
  patch(200, 'an order of items', strategic, deployment, () =>
    template(`"$setElementOrder/containers":[${numbered((index) => `{"name":"a${index}"}`)}]`),
  ),
  patch(413, 'an order of patched items', strategic, deployment, () =>
    template(
      `"$setElementOrder/containers":[${numbered((index) => `{"name":"a${index}"}`, ',', size / 2)}],"containers":[${numbered((index) => `{"name":"a${index}"}`, ',', size / 2 - 2000)}]`,
    ),
  ),
  patch(
    200,
    'primitives deleted',
    strategic,
    map,
    () => `{"metadata":{"$deleteFromPrimitiveList/finalizers":[${numbered((index) => `"a.b/${index}"`)}]}}`,
  ),
  patch(
    200,
    'finalizers',
    strategic,
    map,
    () => `{"metadata":{"finalizers":[${numbered((index) => `"a.b/${index}"`)}]}}`,
  ),
  patch(200, 'fields retained', strategic, deployment, () =>
    template(`"volumes":[{"name":"a","$retainKeys":[${numbered((index) => `"a${index}"`)}]}]`),
  ),
  patch(400, 'nested 9,000 deep', strategic, map, () => nested(9000)),
  patch(
    400,
    'directives nested deep',
    strategic,
    deployment,
    () => `${'{"$patch":"merge","a":'.repeat(5000)}1${'}'.repeat(5000)}`,
  ),
  patch(413, 'managers', merge, map, () => `{"metadata":{"managedFields":[${managers(20_000)}]}}`),
  patch(200, 'as many managers as may be', merge, map, () => `{"metadata":{"managedFields":[${managers(1000)}]}}`),
  patch(200, 'an object with as many managers as may be', merge, `${configMaps}/managed`, () => '{"data":{"a":"b"}}'),
];

function managers(count: number): string {
  return numbered((index) => (index < count ? JSON.stringify(manager(index)) : '{}'.repeat(size)));
}
