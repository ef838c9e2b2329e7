// SPDX-License-Identifier: Apache-2.0
import type { Static, TSchema } from 'typebox';
import type { KubeObject } from '../objects/object.ts';
import type { Schema } from '../schema/schema.ts';

/** A column of `kubectl get`. */
export interface PrinterColumn {
  name: string;
  type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  jsonPath: string;
  description?: string;
  format?: string;
  /** Columns above 0 are shown only with `-o wide`. */
  priority?: number;
}

/** The description of a kind; `T` is the static type of its objects. */
export interface Kind<T extends KubeObject = KubeObject> {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly scope: 'Namespaced' | 'Cluster';
  /** `group/version`, or the version alone for the core group. */
  readonly apiVersion: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /** Schema of the whole object, without metadata. */
  readonly schema: Schema;
  readonly subresources: readonly ('status' | 'scale')[];
  /** The paths of the scale subresource, for custom resources that have one. */
  readonly scale?: Scale;
  readonly printerColumns: readonly PrinterColumn[];
  /** Whether caches keep the content of its objects only while it is needed. */
  readonly confidential?: boolean;
  /** Never set; holds the static type. */
  readonly objectType?: T;
}

/** The static type of a kind's objects. */
export type ObjectOf<K> = K extends Kind<infer T> ? T : never;

/** A custom resource: the user's spec after defaulting, and the status that the controller observed. */
export interface Resource<Spec, Status> extends KubeObject {
  spec: Spec;
  status?: Status;
}

interface KindOptions<Spec extends TSchema, Status extends TSchema> {
  group: string;
  version: string;
  kind: string;
  plural: string;
  scope?: 'Namespaced' | 'Cluster';
  shortNames?: readonly string[];
  categories?: readonly string[];
  description: string;
  spec: Spec;
  status: Status;
  printerColumns?: readonly PrinterColumn[];
  /** Rules about the whole object, including its name; created by `rule`. */
  rules?: Pick<Schema, 'x-kubernetes-validations'>;
  /** Where `kubectl scale` and autoscalers find the number of replicas. Default: it cannot be scaled. */
  scale?: Scale;
}

/** The paths of the scale subresource. */
interface Scale {
  specReplicasPath: string;
  statusReplicasPath: string;
  labelSelectorPath?: string;
}

/** Declares a kind: its static type, names, CRD and reference page are derived from this value. */
export function kind<Spec extends TSchema, Status extends TSchema>(
  options: KindOptions<Spec, Status>,
): Kind<Resource<Static<Spec>, Static<Status>>> {
  return {
    group: options.group,
    version: options.version,
    kind: options.kind,
    plural: options.plural,
    singular: options.kind.toLowerCase(),
    scope: options.scope ?? 'Namespaced',
    apiVersion: apiVersionOf(options.group, options.version),
    shortNames: options.shortNames ?? [],
    categories: options.categories ?? [],
    schema: {
      type: 'object',
      description: options.description,
      properties: { spec: plain(options.spec), status: plain(options.status) },
      required: ['spec'],
      ...options.rules,
    },
    subresources: options.scale === undefined ? ['status'] : ['status', 'scale'],
    ...(options.scale !== undefined && { scale: options.scale }),
    printerColumns: options.printerColumns ?? [],
  };
}

/** `group/version`, or the version alone for the core group. */
export function apiVersionOf(group: string, version: string): string {
  return group === '' ? version : `${group}/${version}`;
}

/** The resource as messages name it: `deployments.apps`. */
export function resourceName({ group, plural }: Pick<Kind, 'group' | 'plural'>): string {
  return group === '' ? plural : `${plural}.${group}`;
}

/** The collection's path on the API server: `/apis/apps/v1/namespaces/openstack/deployments`. */
export function collectionPath({ group, version, plural, scope }: Kind, namespace?: string): string {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  return scope === 'Namespaced' && namespace !== undefined
    ? `${root}/namespaces/${namespace}/${plural}`
    : `${root}/${plural}`;
}

/** A TypeBox schema as JSON. A field with a default is not required: readers always see it, writers may omit it. */
function plain(schema: TSchema): Schema {
  return JSON.parse(JSON.stringify(schema), (_, value: Schema | null) => {
    if (!Array.isArray(value?.required)) return value;
    const required = value.required.filter((name) => value.properties?.[name]?.default === undefined);
    const { required: _dropped, ...rest } = value;
    return required.length === 0 ? rest : { ...rest, required };
  }) as Schema;
}
