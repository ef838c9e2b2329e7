// SPDX-License-Identifier: Apache-2.0
import { configMaps, deployments, nested, numbered, patch, things, type Attack } from './attack.ts';

const apply = 'apply-patch+yaml';
const map = `${configMaps}/crowded`;
const thing = `${things}/crowded`;
const deployment = `${deployments}/crowded`;

function appliedThing(spec: string): string {
  const metadata = '{"name":"crowded","namespace":"default"}';
  return `{"apiVersion":"example.com/v1","kind":"Thing","metadata":${metadata},"spec":{${spec}}}`;
}

/** Server-side apply. */
export const applyAttacks: readonly Attack[] = [
  patch(
    413,
    'data',
    apply,
    map,
    () =>
      `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"crowded"},"data":{${numbered((index) => `"b${index}":""`)}}}`,
  ),
  patch(
    500,
    'unknown fields',
    apply,
    map,
    () =>
      `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"crowded"},${numbered((index) => `"b${index}":""`)}}`,
  ),
  patch(413, 'items of a list by key', apply, thing, () =>
    appliedThing(`"map":[${numbered((index) => `{"name":"b${index}"}`)}]`),
  ),
  patch(500, 'equal items of a list by key', apply, thing, () =>
    appliedThing(`"map":[${numbered(() => '{"name":"a"}')}]`),
  ),
  patch(413, 'items of a set', apply, thing, () => appliedThing(`"set":[${numbered((index) => `"b${index}"`)}]`)),
  patch(500, 'equal items of a set', apply, thing, () => appliedThing(`"set":[${numbered(() => '"a"')}]`)),
  patch(413, 'free fields', apply, thing, () => appliedThing(`"free":{${numbered((index) => `"b${index}":1`)}}`)),
  patch(400, 'free fields nested 9,000 deep', apply, thing, () => appliedThing(`"free":${nested(9000)}`)),
  patch(400, 'free fields nested 900 deep', apply, thing, () => appliedThing(`"free":${nested(900)}`)),
  patch(500, 'values of a wrong type', apply, thing, () => appliedThing(`"map":[${numbered(() => '1')}]`)),
  patch(422, 'strings against a pattern', apply, thing, () =>
    appliedThing(`"patterns":[${numbered((index) => `"${'a'.repeat(600)}${index}!"`, ',', 1_000_000)}]`),
  ),
  patch(
    422,
    'variables',
    apply,
    deployment,
    () =>
      `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"crowded"},"spec":{"template":{"spec":{"containers":[{"name":"keystone","env":[${numbered((index) => `{"name":"A${index}"}`)}]}]}}}}`,
  ),
  patch(
    413,
    'ports',
    apply,
    deployment,
    () =>
      `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"crowded"},"spec":{"template":{"spec":{"containers":[{"name":"keystone","ports":[${numbered((index) => `{"containerPort":${index}}`)}]}]}}}}`,
  ),
];
