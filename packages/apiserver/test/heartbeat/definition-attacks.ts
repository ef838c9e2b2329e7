// SPDX-License-Identifier: Apache-2.0
import { definitions, filled, many, numbered, post, storedSize, things, type Attack } from './attack.ts';

function definition(versions: string, extra = ''): string {
  return `{"kind":"CustomResourceDefinition","apiVersion":"apiextensions.k8s.io/v1","metadata":{"name":"others.example.com"},"spec":{"group":"example.com","scope":"Namespaced","names":{"plural":"others","kind":"Other"${extra}},"versions":[${versions}]}}`;
}

function version(properties: string, further = ''): string {
  return `{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":{"type":"object","properties":{${properties}}}}}}${further}}`;
}

/** A version with so many equal rules. */
function ruledBy(count: number, rule: string): string {
  const rules = `"x-kubernetes-validations":[${many(count, () => `{"rule":"${rule}"}`)}]`;
  return version('"a":{"type":"integer"}').replace('"properties":{"a"', `${rules},"properties":{"a"`);
}

function define(status: number, name: string, body: () => string): Attack {
  return {
    name: `definition: ${name}`,
    by: 'definer',
    status,
    method: 'POST',
    path: `${definitions}?dryRun=All`,
    headers: { 'content-type': 'application/json' },
    body,
  };
}

/** Definitions of custom resources. */
export const definitionAttacks: readonly Attack[] = [
  define(201, 'properties', () => definition(version(numbered((index) => `"p${index}":{"type":"string"}`)))),
  define(422, 'properties without a type', () => definition(version(numbered((index) => `"p${index}":{}`)))),
  define(201, 'properties with errors', () =>
    definition(
      version(
        numbered((index) => `"p${index}":{"type":"string","maxLength":-1,"format":"a","x-kubernetes-list-type":"set"}`),
      ),
    ),
  ),
  define(400, 'nested properties', () =>
    definition(
      version(`"a":${'{"type":"object","properties":{"a":'.repeat(2000)}{"type":"string"}${'}}'.repeat(2000)}`),
    ),
  ),
  define(400, 'nested items', () =>
    definition(version(`"a":${'{"type":"array","items":'.repeat(4000)}{"type":"string"}${'}'.repeat(4000)}`)),
  ),
  define(400, 'nested alternatives', () =>
    definition(version(`"a":{"type":"object",${'"anyOf":[{'.repeat(4000)}"minimum":1${'}]'.repeat(4000)}}`)),
  ),
  define(422, 'versions', () =>
    definition(
      numbered(
        (index) =>
          `{"name":"v${index + 1}","served":true,"storage":${index === 0},"schema":{"openAPIV3Schema":{"type":"object"}}}`,
      ),
    ),
  ),
  define(422, 'equal versions', () => definition(numbered(() => '{"name":"v1","served":true,"storage":true}'))),
  define(422, 'rules', () =>
    definition(
      version('', '').replace(
        '"properties":{}',
        `"x-kubernetes-validations":[${numbered((index) => `{"rule":"self.a == ${index}"}`)}]`,
      ),
    ),
  ),
  define(422, 'valid rules', () =>
    definition(
      version('"a":{"type":"integer"}').replace(
        '"properties":{"a"',
        `"x-kubernetes-validations":[${numbered((index) => `{"rule":"self.a != ${index}"}`)}],"properties":{"a"`,
      ),
    ),
  ),
  define(422, 'a long rule', () =>
    definition(
      version('"a":{"type":"integer"}').replace(
        '"properties":{"a"',
        `"x-kubernetes-validations":[{"rule":"${numbered((index) => `self.a != ${index}`, ' && ')}"}],"properties":{"a"`,
      ),
    ),
  ),
  define(422, 'a rule as long as may be', () =>
    definition(
      version('"a":{"type":"integer"}').replace(
        '"properties":{"a"',
        `"x-kubernetes-validations":[{"rule":"${numbered((index) => `self.a != ${index}`, ' && ', 130_000)}"}],"properties":{"a"`,
      ),
    ),
  ),
  define(201, 'as many rules as may be', () => definition(ruledBy(1000, filled('self.a != 1 && ', 110) + 'true'))),
  define(422, 'a rule with a list as long as may be', () =>
    definition(ruledBy(1, `[${filled('1,', 130_000)}1].size() > 0`)),
  ),
  define(201, 'rules with lists', () => definition(ruledBy(20, `[${filled('1,', 6500)}1].size() > 0`))),
  define(422, 'a rule of parentheses', () =>
    definition(
      version('"a":{"type":"integer"}').replace(
        '"properties":{"a"',
        `"x-kubernetes-validations":[{"rule":"${filled('(', 130_000)}"}],"properties":{"a"`,
      ),
    ),
  ),
  define(422, 'messages', () =>
    definition(
      version('"a":{"type":"integer"}').replace(
        '"properties":{"a"',
        `"x-kubernetes-validations":[${numbered((index) => `{"rule":"true","messageExpression":"'a' + ${index}"}`)}],"properties":{"a"`,
      ),
    ),
  ),
  define(201, 'an enum', () =>
    definition(version(`"a":{"type":"string","enum":[${numbered((index) => `"${index}"`)}]}`)),
  ),
  define(201, 'an enum of equal values', () =>
    definition(version(`"a":{"type":"string","enum":[${numbered(() => '"a"')}]}`)),
  ),
  define(201, 'enums', () => definition(version(numbered((index) => `"p${index}":{"type":"string","enum":["a"]}`)))),
  define(422, 'a pattern', () =>
    definition(version(`"a":{"type":"string","pattern":"${filled('(a|b)*', storedSize)}"}`)),
  ),
  define(422, 'a pattern of groups', () =>
    definition(version(`"a":{"type":"string","pattern":"${filled('(', storedSize)}"}`)),
  ),
  define(422, 'a pattern of classes', () =>
    definition(version(`"a":{"type":"string","pattern":"${filled('[^a]', storedSize)}"}`)),
  ),
  define(422, 'patterns', () =>
    definition(version(numbered((index) => `"p${index}":{"type":"string","pattern":"^a{${index % 900}}$"}`))),
  ),
  define(201, 'as many patterns as may be', () =>
    definition(version(many(5000, (index) => `"p${index}":{"type":"string","pattern":"^(a|b{${index % 90}})*c$"}`))),
  ),
  define(422, 'patterns with large counts', () =>
    definition(version(numbered((index) => `"p${index}":{"type":"string","pattern":"^(a{1000}){${index % 2}}b$"}`))),
  ),
  define(201, 'columns', () =>
    definition(
      version(
        '',
        `,"additionalPrinterColumns":[${numbered((index) => `{"name":"a${index}","type":"string","jsonPath":".spec.a"}`)}]`,
      ),
    ),
  ),
  define(422, 'columns with a long path', () =>
    definition(
      version(
        '',
        `,"additionalPrinterColumns":[{"name":"a","type":"string","jsonPath":"${filled('.a', storedSize)}"}]`,
      ),
    ),
  ),
  define(201, 'columns with a path as long as may be', () =>
    definition(
      version('', `,"additionalPrinterColumns":[{"name":"a","type":"string","jsonPath":"${filled('.a', 260_000)}"}]`),
    ),
  ),
  define(422, 'columns with a path of brackets', () =>
    definition(
      version('', `,"additionalPrinterColumns":[{"name":"a","type":"string","jsonPath":"${filled('[', 260_000)}"}]`),
    ),
  ),
  define(201, 'selectable fields', () =>
    definition(version('"a":{"type":"string"}', `,"selectableFields":[${numbered(() => '{"jsonPath":".spec.a"}')}]`)),
  ),
  define(201, 'short names', () => definition(version(''), `,"shortNames":[${numbered((index) => `"a${index}"`)}]`)),
  define(422, 'invalid short names', () =>
    definition(version(''), `,"shortNames":[${numbered((index) => `"-${index}"`)}]`),
  ),
  define(201, 'categories', () => definition(version(''), `,"categories":[${numbered((index) => `"a${index}"`)}]`)),
  define(201, 'defaults', () =>
    definition(
      version(
        `"a":{"type":"object","x-kubernetes-preserve-unknown-fields":true,"default":{${numbered((index) => `"a${index}":1`)}}}`,
      ),
    ),
  ),
  define(422, 'defaults that do not fit', () =>
    definition(version(numbered((index) => `"p${index}":{"type":"string","default":1}`))),
  ),
  define(201, 'required fields', () =>
    definition(
      version('"a":{"type":"string"}').replace(
        '"type":"object","properties":{"a"',
        `"type":"object","required":[${numbered((index) => `"r${index}"`)}],"properties":{"a"`,
      ),
    ),
  ),
  define(422, 'keys of a list', () =>
    definition(
      version(
        `"a":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":[${numbered((index) => `"k${index}"`)}],"items":{"type":"object"}}`,
      ),
    ),
  ),
  define(201, 'unknown fields', () => definition(version(numbered((index) => `"p${index}":{"type":"string","u":1}`)))),
  define(201, 'defaults with rules, nested', () =>
    definition(version(`"a":${ruled.repeat(100)}{"type":"string"}${'}}'.repeat(100)}`)),
  ),
  {
    ...define(201, 'properties, to stay', () =>
      definition(version(numbered((index) => `"p${index}":{"type":"string"}`))),
    ),
    path: definitions,
  },
  { name: 'definition: OpenAPI v2', status: 200, by: 'nobody', method: 'GET', path: '/openapi/v2' },
  {
    name: 'definition: OpenAPI v2 as protobuf',
    status: 200,
    by: 'nobody',
    method: 'GET',
    path: '/openapi/v2',
    headers: { accept: 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf' },
  },
  { name: 'definition: OpenAPI v3', status: 200, by: 'nobody', method: 'GET', path: '/openapi/v3/apis/example.com/v1' },
  post(
    201,
    'an object of a large definition',
    () =>
      `{"kind":"Large","apiVersion":"example.com/v1","metadata":{"generateName":"a"},"spec":{${numbered((index) => `"p${index}":"a"`)}}}`,
    things.replace('things', 'larges'),
    'editor',
  ),
];

const ruled =
  '{"type":"object","default":{},"x-kubernetes-validations":[{"rule":"true"},{"rule":"1 == 1"}],"properties":{"a":';
