// SPDX-License-Identifier: Apache-2.0
import { nested, configMaps, deployments, filled, numbered, patch, size, things, type Attack } from './attack.ts';

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
  patch('operations', json, map, () => `[${numbered((index) => `{"op":"add","path":"/data/b${index}","value":""}`)}]`),
  patch(
    '10,000 operations',
    json,
    map,
    () =>
      `[${Array.from({ length: 10_000 }, (_, index) => `{"op":"add","path":"/data/b${index}","value":""}`).join(',')}]`,
  ),
  patch(
    '10,000 tests of a large object',
    json,
    map,
    () => `[${Array.from({ length: 10_000 }, () => '{"op":"test","path":"","value":{}}').join(',')}]`,
  ),
  patch(
    'tests of a large value',
    json,
    map,
    () =>
      `[${Array.from({ length: 100 }, () => `{"op":"test","path":"/data","value":{${Array.from({ length: 2000 }, (_, index) => `"a${index}":""`).join(',')}}}`).join(',')}]`,
  ),
  patch(
    'copies',
    json,
    thing,
    () =>
      `[${Array.from({ length: 10_000 }, (_, index) => `{"op":"copy","from":"/spec/map","path":"/spec/free/a${index}"}`).join(',')}]`,
  ),
  patch(
    'copies of themselves',
    json,
    thing,
    () =>
      `[${Array.from({ length: 60 }, (_, index) => `{"op":"copy","from":"/spec/free","path":"/spec/free/a${index}"}`).join(',')}]`,
  ),
  patch(
    'moves within a list',
    json,
    thing,
    () =>
      `[${Array.from({ length: 10_000 }, () => '{"op":"move","from":"/spec/map/0","path":"/spec/map/-"}').join(',')}]`,
  ),
  patch(
    'items put in front',
    json,
    thing,
    () =>
      `[${Array.from({ length: 10_000 }, (_, index) => `{"op":"add","path":"/spec/map/0","value":{"name":"b${index}"}}`).join(',')}]`,
  ),
  patch(
    'items removed from the front',
    json,
    thing,
    () => `[${Array.from({ length: 10_000 }, () => '{"op":"remove","path":"/spec/map/0"}').join(',')}]`,
  ),
  patch('a long path', json, map, () => `[{"op":"add","path":"${filled('/a')}","value":""}]`),
  patch(
    'a large value',
    json,
    thing,
    () => `[{"op":"add","path":"/spec/free","value":{${numbered((index) => `"a${index}":1`)}}}]`,
  ),
  patch('a deep value', json, thing, () => `[{"op":"add","path":"/spec/free","value":${nested(9000)}}]`),
  patch('fields', merge, map, () => `{"data":{${numbered((index) => `"b${index}":""`)}}}`),
  patch('fields removed', merge, map, () => `{"data":{${numbered((index) => `"a${index}":null`)}}}`),
  patch('unknown fields', merge, map, () => `{${numbered((index) => `"b${index}":""`)}}`),
  patch('free fields', merge, thing, () => `{"spec":{"free":{${numbered((index) => `"b${index}":1`)}}}}`),
  patch('nested 9,000 deep', merge, thing, () => `{"spec":{"free":${nested(9000)}}}`),
  patch('nested 9,000 deep, of a map', merge, map, () => nested(9000)),
  patch('nested 900 deep', merge, thing, () => `{"spec":{"free":${nested(900)}}}`),
  patch('labels', merge, map, () => `{"metadata":{"labels":{${numbered((index) => `"a${index}":"b"`)}}}}`),
  patch('containers', strategic, deployment, () =>
    template(`"containers":[${numbered((index) => `{"name":"a${index}","image":"b"}`)}]`),
  ),
  patch('equal containers', strategic, deployment, () =>
    template(`"containers":[${numbered(() => '{"name":"a","image":"b"}')}]`),
  ),
  patch('variables', strategic, deployment, () =>
    template(`"containers":[{"name":"keystone","env":[${numbered((index) => `{"name":"A${index}"}`)}]}]`),
  ),
  patch('deletions', strategic, deployment, () =>
    template(`"containers":[${numbered((index) => `{"name":"a${index}","$patch":"delete"}`)}]`),
  ),
  patch('replacements', strategic, deployment, () =>
    template(`"containers":[${numbered((index) => `{"name":"a${index}","$patch":"replace"}`)}]`),
  ),
  patch('an order of items', strategic, deployment, () =>
    template(`"$setElementOrder/containers":[${numbered((index) => `{"name":"a${index}"}`)}]`),
  ),
  patch('an order of patched items', strategic, deployment, () =>
    template(
      `"$setElementOrder/containers":[${numbered((index) => `{"name":"a${index}"}`, ',', size / 2)}],"containers":[${numbered((index) => `{"name":"a${index}"}`, ',', size / 2 - 2000)}]`,
    ),
  ),
  patch(
    'primitives deleted',
    strategic,
    map,
    () => `{"metadata":{"$deleteFromPrimitiveList/finalizers":[${numbered((index) => `"a.b/${index}"`)}]}}`,
  ),
  patch('finalizers', strategic, map, () => `{"metadata":{"finalizers":[${numbered((index) => `"a.b/${index}"`)}]}}`),
  patch('fields retained', strategic, deployment, () =>
    template(`"volumes":[{"name":"a","$retainKeys":[${numbered((index) => `"a${index}"`)}]}]`),
  ),
  patch('nested 9,000 deep', strategic, map, () => nested(9000)),
  patch(
    'directives nested deep',
    strategic,
    deployment,
    () => `${'{"$patch":"merge","a":'.repeat(5000)}1${'}'.repeat(5000)}`,
  ),
  patch('managers', merge, map, () => `{"metadata":{"managedFields":[${managers(20_000)}]}}`),
  patch('as many managers as may be', merge, map, () => `{"metadata":{"managedFields":[${managers(1000)}]}}`),
  patch('as many managers as may be, again', merge, map, () => '{"data":{"a":"b"}}'),
];

function managers(count: number): string {
  return numbered((index) => (index < count ? manager(index) : '{}'.repeat(size)));
}

function manager(index: number): string {
  const operation = index % 2 === 0 ? 'Update' : 'Apply';
  const fields = Array.from({ length: 30 }, (_, field) => `"f:a${index * 30 + field}":{}`).join();
  return `{"manager":"a${index}","operation":"${operation}","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:data":{${fields}}}}`;
}
