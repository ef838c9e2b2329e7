// SPDX-License-Identifier: Apache-2.0
import { isObject, type JsonObject } from '@forge/kube/objects/json.ts';
import { lazyPayload } from '../messages/payload.ts';
import type { ServerResponse } from '../messages/server-request.ts';
import type { Resource } from '../resources/resource.ts';
import { protobufEncoder } from './encode-swagger.ts';
import { openApiDocument, openApiRoots } from './openapi.ts';

const protobuf = /application\/com\.github\.proto-openapi\.spec\.v2[@.]v1\.0\+protobuf/;
const acceptsJson = /application\/json|application\/\*|\*\/\*/;

/** The response of /openapi/v2: everything in one document. */
export function openApiV2(accept = '*/*', resources: readonly Resource[]): ServerResponse {
  const respond = (contentType: string, encoder: SwaggerEncoder): ServerResponse => {
    const pieces = (): Iterable<Uint8Array[]> => swaggerPieces(resources, encoder);
    const payload = lazyPayload(
      () => swaggerOf(resources),
      () => Buffer.concat([...pieces()].flat()),
      { pieces },
    );
    return { status: 200, contentType, payload };
  };
  if (protobuf.test(accept)) {
    return respond('application/com.github.proto-openapi.spec.v2.v1.0+protobuf', protobufEncoder);
  }
  if (!acceptsJson.test(accept)) return { status: 406, bytes: nothing(), contentType: '' };
  return respond('application/json', jsonEncoder);
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

/** Bytes per chunk: small enough not to block other requests. */
const pieceBytes = 64 * 1024;

/** The encoded document in chunks: many definitions take a long time. */
function* swaggerPieces(resources: readonly Resource[], encoder: SwaggerEncoder): Generator<Uint8Array[]> {
  const { paths, schemas } = partsOf(resources);
  let parts: Uint8Array[] = [encoder.start(head)];
  yield parts;
  parts = Array.from(paths.entries(), ([index, [path, item]]) =>
    encoder.path(path, olderPath(path, item as JsonObject), index === 0),
  );
  yield parts;
  parts = [];
  let size = 0;
  for (const [index, [name, schema]] of Object.entries(Object.fromEntries(schemas)).entries()) {
    const part = encoder.definition(name, olderSchema(schema), index === 0);
    parts.push(part);
    size += part.length;
    if (size > pieceBytes) {
      yield parts;
      parts = [];
      size = 0;
    }
  }
  yield [...parts, encoder.end()];
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** The version and info fields of a document. */
interface SwaggerHead {
  readonly swagger: string;
  readonly info: { readonly title: string; readonly version: string };
}

const head: SwaggerHead = { swagger: '2.0', info: { title: 'Kubernetes', version: '1.36' } };

function swaggerOf(resources: readonly Resource[]): object {
  const { paths, schemas } = partsOf(resources);
  return {
    ...head,
    paths: Object.fromEntries(paths.map(([path, item]) => [path, olderPath(path, item as JsonObject)])),
    definitions: Object.fromEntries(schemas.map(([name, schema]) => [name, olderSchema(schema)])),
  };
}

function partsOf(resources: readonly Resource[]): { paths: [string, unknown][]; schemas: [string, unknown][] } {
  const documents = openApiRoots(resources).flatMap((root) => openApiDocument(resources, root) ?? []);
  return {
    paths: documents.flatMap((document) => Object.entries(document.paths)),
    schemas: documents.flatMap((document) => Object.entries(document.components.schemas)),
  };
}

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
  if (Array.isArray(schema)) return schema.map(olderSchema);
  if (!isObject(schema)) return schema;
  const { allOf, $ref, description } = schema;
  const reference = $ref ?? (Array.isArray(allOf) && isObject(allOf[0]) ? allOf[0]['$ref'] : undefined);
  if (typeof reference === 'string') {
    const older = reference.replace('#/components/schemas/', '#/definitions/');
    return { ...(description !== undefined && { description }), $ref: older };
  }
  const words = Object.entries(schema).filter(([word]) => !newer.has(word));
  return Object.fromEntries(words.map(([word, value]) => [word, olderWord(word, value)]));
}

function olderWord(word: string, value: unknown): unknown {
  if (word === 'properties') {
    return Object.fromEntries(Object.entries(value as JsonObject).map(([name, inner]) => [name, olderSchema(inner)]));
  }
  return word === 'items' || word === 'additionalProperties' || word === 'allOf' ? olderSchema(value) : value;
}
