// SPDX-License-Identifier: Apache-2.0
import { Job, Pod, Service, StatefulSet } from '@forge/kube/kinds/builtin.ts';
import type { Schema } from '@forge/kube/schema/schema.ts';

const container = partOf(Pod.schema, 'spec', 'containers')?.items;
const schemas: Readonly<Record<string, Schema | undefined>> = {
  PodSpec: partOf(Pod.schema, 'spec'),
  Container: container,
  PodSecurityContext: partOf(Pod.schema, 'spec', 'securityContext'),
  SecurityContext: container && partOf(container, 'securityContext'),
  Volume: partOf(Pod.schema, 'spec', 'volumes')?.items,
  JobSpec: partOf(Job.schema, 'spec'),
  StatefulSetSpec: partOf(StatefulSet.schema, 'spec'),
  RollingUpdateStatefulSetStrategy: partOf(StatefulSet.schema, 'spec', 'updateStrategy', 'rollingUpdate'),
  ServiceSpec: partOf(Service.schema, 'spec'),
};

function partOf(schema: Schema, ...path: string[]): Schema | undefined {
  return path.reduce<Schema | undefined>((part, name) => part?.properties?.[name], schema);
}

/** The fields of a type of the API, by name. */
export function fieldsOf(type: string): string[] {
  const { properties } = schemas[type] ?? {};
  if (properties === undefined) throw new Error(`${type} has no schema`);
  return Object.keys(properties).toSorted();
}
