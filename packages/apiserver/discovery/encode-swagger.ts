// SPDX-License-Identifier: Apache-2.0
import { isObject, type JsonObject } from '@forge/kube/objects/json.ts';
import { doubleField, lengthDelimited, varintField } from '@forge/kube/protobuf/wire-writer.ts';
import type { SwaggerEncoder } from './openapi-v2.ts';

/**
 * Encodes the OpenAPI v2 document in protobuf (gnostic's OpenAPIv2 messages), as Go clients request it. Paths and
 * definitions are one message each; every entry is sent as a separate partial message, which decoders merge.
 */
export const protobufEncoder: SwaggerEncoder = {
  start: ({ swagger, info }) =>
    Buffer.concat([text(1, swagger), lengthDelimited(2, Buffer.concat([text(1, info.title), text(2, info.version)]))]),
  path: (name, item) => lengthDelimited(8, Buffer.concat(named(2, { [name]: item }, pathItem))),
  definition: (name, schema) => lengthDelimited(9, Buffer.concat(named(1, { [name]: schema }, schemaOf))),
  end: () => Buffer.alloc(0),
};

type Encode = (value: JsonObject) => Buffer;

/** Named values as fields. */
function named(number: number, values: unknown, encode: Encode): Buffer[] {
  const entries = Object.entries(isObject(values) ? values : {});
  return entries.map(([name, value]) =>
    lengthDelimited(number, Buffer.concat([text(1, name), lengthDelimited(2, encode(value as JsonObject))])),
  );
}

function text(number: number, value: unknown): Buffer {
  return lengthDelimited(number, Buffer.from(String(value)));
}

function texts(number: number, values: unknown): Buffer[] {
  return list(values).map((value) => text(number, value));
}

function list(values: unknown): unknown[] {
  return Array.isArray(values) ? values : [];
}

/** A value without a schema, as YAML; JSON is valid YAML. */
function any(value: unknown): Buffer {
  return text(2, JSON.stringify(value));
}

function extensions(number: number, object: JsonObject): Buffer[] {
  const own = Object.entries(object).filter(([word]) => word.startsWith('x-'));
  return own.map(([word, value]) =>
    lengthDelimited(number, Buffer.concat([text(1, word), lengthDelimited(2, any(value))])),
  );
}

const methods = { get: 2, put: 3, post: 4, delete: 5, patch: 8 } as const;

function pathItem(item: JsonObject): Buffer {
  const operations = Object.entries(methods).flatMap(([method, number]) => {
    const operation = item[method];
    return isObject(operation) ? [lengthDelimited(number, operationOf(operation))] : [];
  });
  return Buffer.concat([...operations, ...parameters(9, item['parameters'])]);
}

function operationOf(operation: JsonObject): Buffer {
  return Buffer.concat([
    text(5, operation['operationId']),
    ...texts(6, operation['produces']),
    ...texts(7, operation['consumes']),
    ...parameters(8, operation['parameters']),
    lengthDelimited(9, Buffer.concat(named(1, operation['responses'], responseOf))),
    ...texts(10, operation['schemes']),
    ...extensions(13, operation),
  ]);
}

function responseOf({ description, schema }: JsonObject): Buffer {
  const item = lengthDelimited(1, schemaOf(schema as JsonObject));
  return lengthDelimited(1, Buffer.concat([text(1, description), lengthDelimited(2, item)]));
}

function parameters(number: number, values: unknown): Buffer[] {
  return list(values).map((value) => lengthDelimited(number, lengthDelimited(1, parameterOf(value as JsonObject))));
}

function parameterOf({ name, in: place, schema, type }: JsonObject): Buffer {
  if (place === 'body') {
    const body = [text(2, name), text(3, place), varintField(4, 1), lengthDelimited(5, schemaOf(schema as JsonObject))];
    return lengthDelimited(1, Buffer.concat(body));
  }
  const isPath = place === 'path';
  const own = [...(isPath ? [varintField(1, 1)] : []), text(2, place), text(4, name), text(isPath ? 5 : 6, type)];
  return lengthDelimited(2, lengthDelimited(isPath ? 4 : 3, Buffer.concat([...own, varintField(isPath ? 19 : 20, 1)])));
}

const textWords = { $ref: 1, format: 2, title: 3, description: 4, pattern: 13 };
const doubleWords = { multipleOf: 6, maximum: 7, minimum: 9 };
const wholeWords = {
  exclusiveMaximum: 8,
  exclusiveMinimum: 10,
  maxLength: 11,
  minLength: 12,
  maxItems: 14,
  minItems: 15,
  uniqueItems: 16,
  maxProperties: 17,
  minProperties: 18,
};

function schemaOf(schema: JsonObject): Buffer {
  const { default: byDefault, additionalProperties: rest, type, items, properties } = schema;
  return Buffer.concat([
    ...words(textWords, schema, text),
    ...(byDefault === undefined ? [] : [lengthDelimited(5, any(byDefault))]),
    ...words(doubleWords, schema, (number, value) => doubleField(number, Number(value))),
    ...words(wholeWords, schema, (number, value) => varintField(number, Number(value))),
    ...texts(19, schema['required']),
    ...list(schema['enum']).map((value) => lengthDelimited(20, any(value))),
    ...(rest === undefined
      ? []
      : [lengthDelimited(21, isObject(rest) ? lengthDelimited(1, schemaOf(rest)) : varintField(2, Number(rest)))]),
    ...(type === undefined ? [] : [lengthDelimited(22, text(1, type))]),
    ...(isObject(items) ? [lengthDelimited(23, lengthDelimited(1, schemaOf(items)))] : []),
    ...list(schema['allOf']).map((value) => lengthDelimited(24, schemaOf(value as JsonObject))),
    ...(properties === undefined ? [] : [lengthDelimited(25, Buffer.concat(named(1, properties, schemaOf)))]),
    ...extensions(31, schema),
  ]);
}

function words(
  numbers: Readonly<Record<string, number>>,
  schema: JsonObject,
  encode: (number: number, value: unknown) => Buffer,
): Buffer[] {
  const fields: Buffer[] = [];
  for (const word in numbers) {
    const value = schema[word];
    if (value !== undefined) fields.push(encode(numbers[word] as number, value));
  }
  return fields;
}
