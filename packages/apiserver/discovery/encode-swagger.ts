// SPDX-License-Identifier: Apache-2.0
import { isObject, type JsonObject } from '@forge/kube/objects/json.ts';
import { written, type MessageWriter } from '@forge/kube/protobuf/message-writer.ts';
import type { SwaggerEncoder } from './openapi-v2.ts';

/**
 * Encodes the OpenAPI v2 document in protobuf (gnostic's OpenAPIv2 messages), as Go clients request it. Paths and
 * definitions are one message each; every entry is sent as a separate partial message, which decoders merge.
 */
export const protobufEncoder: SwaggerEncoder = {
  start: ({ swagger, info }) =>
    written((to) => {
      to.text(1, swagger);
      to.message(2, () => {
        to.text(1, info.title);
        to.text(2, info.version);
      });
    }),
  path: (name, item) => written((to) => to.message(8, () => named(to, 2, { [name]: item }, pathItem))),
  definition: (name, schema) => written((to) => to.message(9, () => named(to, 1, { [name]: schema }, schemaOf))),
  end: () => Buffer.alloc(0),
};

type Write = (to: MessageWriter, value: JsonObject) => void;

/** Named values as fields. */
function named(to: MessageWriter, number: number, values: unknown, write: Write): void {
  if (!isObject(values)) return;
  for (const name in values) {
    to.message(number, () => {
      to.text(1, name);
      to.message(2, () => write(to, values[name] as JsonObject));
    });
  }
}

function text(to: MessageWriter, number: number, value: unknown): void {
  to.text(number, String(value));
}

function texts(to: MessageWriter, number: number, values: unknown): void {
  for (const value of list(values)) text(to, number, value);
}

function list(values: unknown): readonly unknown[] {
  return Array.isArray(values) ? values : [];
}

/** A value without a schema, as YAML; JSON is valid YAML. */
function any(to: MessageWriter, number: number, value: unknown): void {
  to.message(number, () => to.text(2, JSON.stringify(value)));
}

function extensions(to: MessageWriter, number: number, object: JsonObject): void {
  for (const word in object) {
    if (!word.startsWith('x-')) continue;
    to.message(number, () => {
      to.text(1, word);
      any(to, 2, object[word]);
    });
  }
}

const methods = { get: 2, put: 3, post: 4, delete: 5, patch: 8 } as const;

function pathItem(to: MessageWriter, item: JsonObject): void {
  for (const [method, number] of Object.entries(methods)) {
    const operation = item[method];
    if (isObject(operation)) to.message(number, () => operationOf(to, operation));
  }
  parameters(to, 9, item['parameters']);
}

function operationOf(to: MessageWriter, operation: JsonObject): void {
  text(to, 5, operation['operationId']);
  texts(to, 6, operation['produces']);
  texts(to, 7, operation['consumes']);
  parameters(to, 8, operation['parameters']);
  to.message(9, () => named(to, 1, operation['responses'], responseOf));
  texts(to, 10, operation['schemes']);
  extensions(to, 13, operation);
}

function responseOf(to: MessageWriter, { description, schema }: JsonObject): void {
  to.message(1, () => {
    text(to, 1, description);
    to.message(2, () => to.message(1, () => schemaOf(to, schema as JsonObject)));
  });
}

function parameters(to: MessageWriter, number: number, values: unknown): void {
  for (const value of list(values)) {
    to.message(number, () => to.message(1, () => parameterOf(to, value as JsonObject)));
  }
}

function parameterOf(to: MessageWriter, { name, in: place, schema, type }: JsonObject): void {
  if (place === 'body') {
    return to.message(1, () => {
      text(to, 2, name);
      text(to, 3, place);
      to.integer(4, 1);
      to.message(5, () => schemaOf(to, schema as JsonObject));
    });
  }
  const isPath = place === 'path';
  to.message(2, () =>
    to.message(isPath ? 4 : 3, () => {
      if (isPath) to.integer(1, 1);
      text(to, 2, place);
      text(to, 4, name);
      text(to, isPath ? 5 : 6, type);
      to.integer(isPath ? 19 : 20, 1);
    }),
  );
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

function schemaOf(to: MessageWriter, schema: JsonObject): void {
  const { default: byDefault, additionalProperties: rest, type, items, properties } = schema;
  words(textWords, schema, (number, value) => text(to, number, value));
  if (byDefault !== undefined) any(to, 5, byDefault);
  words(doubleWords, schema, (number, value) => to.double(number, Number(value)));
  words(wholeWords, schema, (number, value) => to.integer(number, Number(value)));
  texts(to, 19, schema['required']);
  for (const value of list(schema['enum'])) any(to, 20, value);
  if (rest !== undefined) {
    to.message(21, () => {
      if (isObject(rest)) to.message(1, () => schemaOf(to, rest));
      else to.integer(2, Number(rest));
    });
  }
  if (type !== undefined) to.message(22, () => text(to, 1, type));
  if (isObject(items)) to.message(23, () => to.message(1, () => schemaOf(to, items)));
  for (const value of list(schema['allOf'])) to.message(24, () => schemaOf(to, value as JsonObject));
  if (properties !== undefined) to.message(25, () => named(to, 1, properties, schemaOf));
  extensions(to, 31, schema);
}

function words(
  numbers: Readonly<Record<string, number>>,
  schema: JsonObject,
  write: (number: number, value: unknown) => void,
): void {
  for (const word in numbers) {
    const value = schema[word];
    if (value !== undefined) write(numbers[word] as number, value);
  }
}
