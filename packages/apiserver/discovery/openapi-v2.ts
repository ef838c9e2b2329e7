// SPDX-License-Identifier: Apache-2.0
import { isObject, type JsonObject } from '@forge/kube/objects/json.ts';
import { jsonPayload, lazyPayload } from '../request/payload.ts';
import type { ServerResponse } from '../request/server-request.ts';
import type { Resource } from '../resources/resource.ts';
import { encodeSwagger } from './encode-swagger.ts';
import { openApiDocument, openApiRoots } from './openapi.ts';

const protobuf = /application\/com\.github\.proto-openapi\.spec\.v2[@.]v1\.0\+protobuf/;
const acceptsJson = /application\/json|application\/\*|\*\/\*/;

/** The response of /openapi/v2: everything in one document. */
export function openApiV2(accept = '*/*', resources: readonly Resource[]): ServerResponse {
  if (protobuf.test(accept)) {
    const document = swaggerOf(resources);
    return {
      status: 200,
      contentType: 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
      payload: lazyPayload(
        () => document,
        () => encodeSwagger(document),
      ),
    };
  }
  if (!acceptsJson.test(accept)) return { status: 406, bytes: nothing(), contentType: '' };
  return { status: 200, contentType: 'application/json', payload: jsonPayload(swaggerOf(resources)) };
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** An OpenAPI v2 document. */
export interface Swagger {
  readonly swagger: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: JsonObject;
  readonly definitions: JsonObject;
}

function swaggerOf(resources: readonly Resource[]): Swagger {
  const documents = openApiRoots(resources).flatMap((root) => openApiDocument(resources, root) ?? []);
  const paths = documents.flatMap((document) => Object.entries(document.paths));
  const schemas = documents.flatMap((document) => Object.entries(document.components.schemas));
  return {
    swagger: '2.0',
    info: { title: 'Kubernetes', version: '1.36' },
    paths: Object.fromEntries(paths.map(([path, item]) => [path, olderPath(path, item as JsonObject)])),
    definitions: Object.fromEntries(schemas.map(([name, schema]) => [name, olderSchema(schema)])),
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
