// SPDX-License-Identifier: Apache-2.0
import { createHash } from 'node:crypto';
import { collectionPath, type Kind } from '@forge/kube/kinds/kind.ts';
import { kubernetesVersion } from '@forge/kube/kinds/kubernetes-version.ts';
import type { JsonObject } from '@forge/kube/objects/json.ts';
import { metadataSchema } from '@forge/kube/schema/kind-schema.ts';
import { objectSchema } from '@forge/kube/schema/object-schema.ts';
import type { Resource } from '../resources/resource.ts';
import { verbsOf } from './api-groups.ts';
import { openApiComponents, reference } from './openapi-components.ts';

/** The response of /openapi/v3: the URL of each group version's document, with a hash for caching. */
export function openApiIndex(resources: readonly Resource[]): object {
  const groups = Object.groupBy(resources, ({ kind }) => rootOf(kind));
  return {
    paths: Object.fromEntries(
      Object.entries(groups).map(([root, members = []]) => {
        return [root, { serverRelativeURL: `/openapi/v3/${root}?hash=${hashOf(members)}` }];
      }),
    ),
  };
}

/** The paths of the documents: `api/v1`, `apis/apps/v1`. */
export function openApiRoots(resources: readonly Resource[]): string[] {
  return [...new Set(resources.map(({ kind }) => rootOf(kind)))];
}

/** The used parts of an OpenAPI v3 document. */
export interface OpenApiDocument {
  readonly paths: JsonObject;
  readonly components: { readonly schemas: JsonObject };
}

/** The OpenAPI v3 document of a group version (`apis/apps/v1`); undefined when it is not served. */
export function openApiDocument(resources: readonly Resource[], root: string): OpenApiDocument | undefined {
  const members = resources.filter(({ kind }) => rootOf(kind) === root);
  if (members.length === 0) return undefined;
  const schemas = members.map(({ kind }) => [componentName(kind), whole(kind)] as const);
  const document = {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: kubernetesVersion },
    paths: Object.fromEntries(members.flatMap(pathsOf)),
    components: { schemas: openApiComponents(Object.fromEntries(schemas)) },
  };
  return document;
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
