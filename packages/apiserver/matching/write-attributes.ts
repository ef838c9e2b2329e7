// SPDX-License-Identifier: Apache-2.0
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { withManagersOf } from '@forge/kube/patch/scale-managers.ts';
import { timestamp } from '@forge/runtime/environment/clock.ts';
import type { ServerContext } from '../request/server-context.ts';
import { isDryRun } from '../request/write-options.ts';
import type { Write } from '../request/write.ts';
import type { Resource } from '../resources/resource.ts';
import { scaleOf, pathSegments, workloadPaths } from '../resources/scale-of.ts';
import { writeOptionsOf, type AdmissionAttributes } from './admission-attributes.ts';

const scaleKind = { group: 'autoscaling', version: 'v1', kind: 'Scale' };

/** The admission attributes of a write; a scale update is shown as a Scale. */
export function attributesOf(write: Write, { clock }: ServerContext): AdmissionAttributes {
  const { resource, subresource, before, object, user, query, warn } = write;
  const { group, version, kind } = resource.kind;
  const { name: objectName = '' } = object.metadata as Partial<KubeObject['metadata']>;
  const name = write.name || objectName;
  const isScale = subresource === 'scale';
  const shown = (each: KubeObject) => (isScale ? managedScale(each, resource, timestamp(clock)) : each);
  return {
    operation: before === undefined ? 'CREATE' : 'UPDATE',
    resource,
    subresource,
    kind: isScale ? scaleKind : { group, version, kind },
    namespace: resource.name === 'namespaces' ? name : write.namespace,
    name,
    object: shown(object),
    before: before && shown(before),
    user,
    dryRun: isDryRun(query),
    options: () => writeOptionsOf(before === undefined ? 'CreateOptions' : 'UpdateOptions', query),
    warn,
  };
}

/** The Scale of an object with its managedFields; entries without a time get the current one. */
function managedScale(object: KubeObject, { strategy: { scale = workloadPaths } }: Resource, now: string): KubeObject {
  const shown = withManagersOf(object, pathSegments(scale.specReplicasPath), scaleOf(object, scale));
  const { managedFields = [], ...metadata } = shown.metadata;
  const timed = managedFields.map((entry) => ({ time: now, ...entry }));
  return { ...shown, metadata: { ...metadata, ...(timed.length > 0 && { managedFields: timed }) } };
}
