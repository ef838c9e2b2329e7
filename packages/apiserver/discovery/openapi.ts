// SPDX-License-Identifier: Apache-2.0
import { createHash } from 'node:crypto';
import { collectionPath, type Kind } from '@forge/kube/kinds/kind.ts';
import { kubernetesVersion } from '@forge/kube/kinds/kubernetes-version.ts';
import type { JsonObject } from '@forge/kube/objects/json.ts';
import { metadataSchema } from '@forge/kube/schema/kind-schema.ts';
import { objectSchema } from '@forge/kube/schema/object-schema.ts';
import { jsonPayload, lazyPayload, type Payload } from '../messages/payload.ts';
import type { Resource } from '../resources/resource.ts';
import { verbsOf } from './api-groups.ts';
import { derivedOnce } from './derived-once.ts';
import { openApiComponents, reference } from './openapi-components.ts';

/** The response of /openapi/v3: the URL of each group version's document, with a hash for caching. */
export const openApiIndex = derivedOnce((resources) => {
  const paths = openApiRoots(resources).map((root) => {
    return [root, { serverRelativeURL: `/openapi/v3/${root}?hash=${hashOf(membersOf(resources, root))}` }];
  });
  return jsonPayload({ paths: Object.fromEntries(paths) });
});

/** The paths of the documents: `api/v1`, `apis/apps/v1`. */
export const openApiRoots = derivedOnce((resources) => [...new Set(resources.map(({ kind }) => rootOf(kind)))]);

/** The OpenAPI v3 document of a group version (`apis/apps/v1`); undefined when it is not served. */
export function openApiDocument(resources: readonly Resource[], root: string): Payload | undefined {
  if (!openApiRoots(resources).includes(root)) return undefined;
  const documents = encodedDocuments(resources);
  const document = () => ({
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: kubernetesVersion },
    paths: Object.fromEntries(openApiPaths(membersOf(resources, root))),
    components: { schemas: openApiSchemas(resources, root) },
  });
  return lazyPayload(document, () => {
    const bytes = documents.get(root) ?? Buffer.from(JSON.stringify(document()));
    documents.set(root, bytes);
    return bytes;
  });
}

/** The documents that were requested, by path. */
const encodedDocuments = derivedOnce(() => new Map<string, Uint8Array>());

/** The OpenAPI schemas of a group version. */
export function openApiSchemas(resources: readonly Resource[], root: string): JsonObject {
  const schemas = membersOf(resources, root).map(({ kind }) => [componentName(kind), whole(kind)] as const);
  return openApiComponents(Object.fromEntries(schemas));
}

/** The OpenAPI paths of resources, with their operations. */
export function openApiPaths(resources: readonly Resource[]): [string, object][] {
  return resources.flatMap(pathsOf);
}

function membersOf(resources: readonly Resource[], root: string): readonly Resource[] {
  return resources.filter(({ kind }) => rootOf(kind) === root);
}

function rootOf({ group, version }: Kind): string {
  return group === '' ? `api/${version}` : `apis/${group}/${version}`;
}

/** `io.k8s.apps.v1.Deployment`, `com.example.v1.Backup`. */
function componentName({ group, version, kind }: Kind): string {
  const domain = group.includes('.') ? group.split('.').toReversed().join('.') : `io.k8s.${group || 'core'}`;
  return `${domain}.${version}.${kind}`;
}

function whole({ schema, group, version, kind }: Kind): object {
  const { properties, ...rest } = objectSchema(schema);
  return {
    ...rest,
    properties: { ...properties, metadata: metadataSchema() },
    'x-kubernetes-group-version-kind': [{ group, version, kind }],
  };
}

function pathsOf(resource: Resource): [string, object][] {
  const { kind } = resource;
  const verbs = verbsOf(resource);
  const served = (path: string, methods: Readonly<Record<string, string>>): [string, object][] => {
    const own = Object.entries(methods).filter(([, verb]) => verbs.includes(verb));
    const operations = own.map(([method, verb]) => [method, operation(kind, verb === 'list' ? verb : method)]);
    return operations.length === 0 ? [] : [[path, Object.fromEntries(operations)]];
  };
  const collection = collectionPath(kind, '{namespace}');
  return [
    ...served(collection, { get: 'list', post: 'create' }),
    ...served(`${collection}/{name}`, { get: 'get', put: 'update', patch: 'patch', delete: 'delete' }),
  ];
}

/** An operation with what kubectl needs: the group version kind, and the fieldValidation parameter. */
function operation(kind: Kind, action: string): object {
  const { group, version, plural } = kind;
  const writes = action === 'post' || action === 'put' || action === 'patch';
  const parameters = writes
    ? ['dryRun', 'fieldManager', 'fieldValidation', ...(action === 'patch' ? ['force'] : [])]
    : [];
  return {
    operationId: `${action}-${group}-${version}-${plural}`,
    parameters: parameters.map((name) => ({ name, in: 'query', schema: { type: 'string', uniqueItems: true } })),
    responses: {
      '200': {
        description: 'OK',
        content: { 'application/json': { schema: reference(componentName(kind)) } },
      },
    },
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': { group, version, kind: kind.kind },
  };
}

/** Changes with the document; only schemas of custom resources can change. */
function hashOf(resources: readonly Resource[]): string {
  const contents = resources.map(({ kind, custom }) => [kind.kind, custom ? kind.schema : undefined]);
  return createHash('sha256').update(JSON.stringify(contents)).digest('hex').slice(0, 32).toUpperCase();
}
