// SPDX-License-Identifier: Apache-2.0
import { testCase, type ConformanceCase } from '../../conversation/conformance-case.ts';
import { defineValues } from '../../objects/define-values.ts';

/** Tries to create an object with each of these values in the field. */
function each(name: string, schema: object, values: readonly unknown[]): ConformanceCase {
  return testCase(name, async (api) => {
    const spec = { type: 'object', properties: { value: schema } };
    const { path, value } = await defineValues(api, { spec });
    for (const [index, content] of values.entries()) await api.post(path, value(`v${index}`, { value: content }));
  });
}

/** Validation by the schemas of definitions. */
export const schemas: readonly ConformanceCase[] = [
  each('integers have bounds', { type: 'integer', minimum: 1, maximum: 5 }, [0, 6, 'x', 1.5, true, null]),
  each('bounds may be exclusive', { type: 'number', minimum: 1, exclusiveMinimum: true }, [1, 2, 'x']),
  each('numbers may be multiples', { type: 'integer', multipleOf: 3 }, [4, 6]),
  each('integers of 32 bits are not larger', { type: 'integer', format: 'int32' }, [3e9, 1.5, 'x', 1]),
  each('texts have a length and a pattern', { type: 'string', minLength: 2, maxLength: 4, pattern: '^a+$' }, [
    'a',
    'aaaaa',
    'bb',
    '🙂',
    1,
    ['a'],
    'aa',
  ]),
  each('values are among some', { type: 'string', enum: ['a', 'b'] }, ['c', 1, 'a']),
  each('numbers are among some', { type: 'integer', enum: [1, 2] }, [3, 2]),
  each('lists have a length', { type: 'array', minItems: 1, maxItems: 2, items: { type: 'string' } }, [
    [],
    ['a', 'b', 'c'],
    [1],
    'x',
    {},
  ]),
  each('sets have every value once', { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } }, [
    ['a', 'a'],
    ['a', 'b', 'a', 'a'],
  ]),
  each(
    'lists that are maps have every key once',
    {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k', 'p'],
      items: {
        type: 'object',
        required: ['k'],
        properties: { k: { type: 'string' }, p: { type: 'integer', default: 1 } },
      },
    },
    [[{ k: 'a' }, { k: 'a' }], [{ k: 'a', p: 1 }, { k: 'a' }], [{ p: 1 }], [{ k: 'a' }, { k: 'a', p: 2 }]],
  ),
  each(
    'maps have a size',
    { type: 'object', minProperties: 1, maxProperties: 2, additionalProperties: { type: 'string' } },
    [{}, { a: '1', b: '2', c: '3' }, { a: 1 }, []],
  ),
  each(
    'fields may be required',
    {
      type: 'object',
      required: ['a'],
      properties: {
        a: { type: 'string' },
        b: { type: 'object', required: ['c'], properties: { c: { type: 'string' } } },
      },
    },
    [{}, { a: '1', b: {} }, { a: '1' }],
  ),
  each('times have a format', { type: 'string', format: 'date-time' }, ['soon', '2020-01-01', '2020-01-01T00:00:00Z']),
  each('dates have a format', { type: 'string', format: 'date' }, ['soon', '2020-01-01']),
  each('addresses have a format', { type: 'string', format: 'ipv4' }, ['x', '::1', '10.0.0.1']),
  each('bytes have a format', { type: 'string', format: 'byte' }, ['!', 'YQ==']),
  each('durations have a format', { type: 'string', format: 'duration' }, ['x', '1h30m', '3 days']),
  each('integers or texts are nothing else', { 'x-kubernetes-int-or-string': true }, [true, 1.5, [], 1, '50%']),
  each('null is for what may be null', { type: 'string', nullable: true }, [null, 1]),
  each('exactly one alternative must fit', { type: 'integer', oneOf: [{ minimum: 10 }, { maximum: 3 }] }, [5, 1, 11]),
  each('no two alternatives may fit', { type: 'integer', oneOf: [{ minimum: 1 }, { minimum: 2 }] }, [2, 1]),
  each('what must not fit is refused', { type: 'string', not: { enum: ['bad'] } }, ['bad', 'good']),
  each('all alternatives must fit', { type: 'integer', allOf: [{ minimum: 1 }, { maximum: 3 }] }, [5, 2]),
  each(
    'an object within an object says what it is',
    { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
    [{}, { apiVersion: 'v1' }, { apiVersion: 'v1', kind: 'X', any: 1 }],
  ),
];
