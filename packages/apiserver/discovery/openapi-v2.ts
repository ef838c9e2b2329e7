// SPDX-License-Identifier: Apache-2.0
import { isObject, mapFields, mapItems, type JsonObject } from '@forge/kube/objects/json.ts';
import { lazyPayload } from '../messages/payload.ts';
import type { ServerResponse } from '../messages/server-request.ts';
import { slicesOf } from '../messages/slices.ts';
import type { Resource } from '../resources/resource.ts';
import { derivedOnce, repeatable } from './derived-once.ts';
import { protobufEncoder } from './encode-swagger.ts';
import { openApiPaths, openApiRoots, openApiSchemas } from './openapi.ts';

const protobuf = /application\/com\.github\.proto-openapi\.spec\.v2[@.]v1\.0\+protobuf/;
const acceptsJson = /application\/json|application\/\*|\*\/\*/;

/** The response of /openapi/v2: everything in one document. */
export function openApiV2(accept = '*/*', resources: readonly Resource[]): ServerResponse {
  const respond = (contentType: string, pieces: Pieces): ServerResponse => {
    const payload = lazyPayload(
      () => JSON.parse(joined(jsonPieces(resources)).toString()),
      () => joined(pieces),
      { pieces },
    );
    return { status: 200, contentType, payload };
  };
  if (protobuf.test(accept)) {
    return respond('application/com.github.proto-openapi.spec.v2.v1.0+protobuf', protobufPieces(resources));
  }
  if (!acceptsJson.test(accept)) return { status: 406, bytes: nothing(), contentType: '' };
  return respond('application/json', jsonPieces(resources));
}

type Pieces = () => Iterable<Uint8Array[]>;

function joined(pieces: Pieces): Buffer {
  return Buffer.concat([...pieces()].flat());
}

/** Encodes the parts of a document; its paths come first. */
export interface SwaggerEncoder {
  start(head: SwaggerHead): Buffer;
  path(name: string, item: object, isFirst: boolean): Buffer;
  definition(name: string, schema: unknown, isFirst: boolean): Buffer;
  end(): Buffer;
}

const jsonEncoder: SwaggerEncoder = {
  start: (head) => Buffer.from(`${JSON.stringify(head).slice(0, -1)},"paths":{`),
  path: (name, item, isFirst) => Buffer.from(`${isFirst ? '' : ','}${JSON.stringify(name)}:${JSON.stringify(item)}`),
  definition: (name, schema, isFirst) =>
    Buffer.from(`${isFirst ? '},"definitions":{' : ','}${JSON.stringify(name)}:${JSON.stringify(schema)}`),
  end: () => Buffer.from('}}'),
};

const jsonPieces = derivedOnce((resources) => repeatable(swaggerPieces(resources, jsonEncoder)));
const protobufPieces = derivedOnce((resources) => repeatable(swaggerPieces(resources, protobufEncoder)));

/** The encoded document in chunks: many definitions take a long time. */
function* swaggerPieces(resources: readonly Resource[], encoder: SwaggerEncoder): Generator<Uint8Array[]> {
  const paths = openApiPaths(resources).map(([path, item], index) =>
    encoder.path(path, olderPath(path, item as JsonObject), index === 0),
  );
  yield [encoder.start(head), ...paths];
  const encoded = new Set<string>();
  function* definitions(schemas: JsonObject): Generator<Uint8Array> {
    for (const name in schemas) {
      if (encoded.has(name)) continue;
      yield encoder.definition(name, olderSchema(schemas[name]), encoded.size === 0);
      encoded.add(name);
    }
  }
  for (const root of openApiRoots(resources)) {
    const schemas = openApiSchemas(resources, root);
    // A schema can be large: finding and encoding it are a turn each.
    yield [];
    yield* slicesOf(definitions(schemas), ({ length }) => length);
  }
  yield [encoder.end()];
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** The version and info fields of a document. */
interface SwaggerHead {
  readonly swagger: string;
  readonly info: { readonly title: string; readonly version: string };
}

const head: SwaggerHead = { swagger: '2.0', info: { title: 'Kubernetes', version: '1.36' } };

function olderPath(path: string, item: JsonObject): object {
  const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => {
    return { name, in: 'path', required: true, type: 'string', uniqueItems: true };
  });
  const operations = Object.entries(item).map(([method, operation]) => [method, olderOperation(method, operation)]);
  return { ...Object.fromEntries(operations), ...(parameters.length > 0 && { parameters }) };
}

const encodings = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];

interface Operation {
  readonly parameters: readonly { name: string }[];
  readonly responses: Readonly<Record<string, { content: Readonly<Record<string, { schema: unknown }>> }>>;
}

function olderOperation(method: string, operation: unknown): object {
  const { parameters, responses, ...rest } = operation as Operation;
  const schema = olderSchema(responses['200']?.content['application/json']?.schema);
  const body = { name: 'body', in: 'body', required: true, schema: method === 'patch' ? { type: 'object' } : schema };
  return {
    ...rest,
    consumes: ['*/*'],
    produces: encodings,
    schemes: ['https'],
    parameters: [
      ...(method === 'post' || method === 'put' || method === 'patch' ? [body] : []),
      ...parameters.map(({ name }) => ({ name, in: 'query', type: 'string', uniqueItems: true })),
    ],
    responses: { '200': { description: 'OK', schema } },
  };
}

/** Keywords that OpenAPI v2 does not have. */
const newer = new Set(['nullable', 'oneOf', 'anyOf', 'not']);

/** Converts a schema to OpenAPI v2: a reference may only have a description beside it. */
function olderSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return mapItems(schema, olderSchema);
  if (!isObject(schema)) return schema;
  const { allOf, $ref, description } = schema;
  const reference = $ref ?? (Array.isArray(allOf) && isObject(allOf[0]) ? allOf[0]['$ref'] : undefined);
  if (typeof reference === 'string') {
    const older = reference.replace('#/components/schemas/', '#/definitions/');
    return { ...(description !== undefined && { description }), $ref: older };
  }
  return mapFields(schema, (value, word) => (newer.has(word) ? undefined : olderWord(word, value)));
}

function olderWord(word: string, value: unknown): unknown {
  if (word === 'properties') return mapFields(value as JsonObject, olderSchema);
  return word === 'items' || word === 'additionalProperties' || word === 'allOf' ? olderSchema(value) : value;
}
