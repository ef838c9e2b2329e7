// SPDX-License-Identifier: Apache-2.0
import type { Pod } from '@forge/kube/kinds/builtin.ts';
import { jsonEqual, withField } from '@forge/kube/objects/json.ts';
import type { KubeObject, ObjectMeta } from '@forge/kube/objects/object.ts';
import { timestamp } from '@forge/runtime/environment/clock.ts';
import type { Random } from '@forge/runtime/environment/random.ts';
import { randomSuffix } from '../formats/random-suffix.ts';
import type { Write, WriteStep } from '../request/write.ts';
import type { CoreContext } from '../resources/core-context.ts';
import { hasStatus, type Resource } from '../resources/resource.ts';

/** Sets what only the server can know: identity and initial status of a new object, the generation of a changed one. */
export const setServerFields: WriteStep = (write, server) => {
  const { resource, before, object } = write;
  const { strategy } = resource;
  if (before === undefined) {
    const created = identified(write, server);
    return withZeroValues(resource, strategy.prepareForCreate?.(created, server, write.user) ?? created);
  }
  const changed = withZeroValues(resource, prepared(write, before, server) ?? object);
  if (!isCounted(resource) || jsonEqual(contentOf(resource, changed), contentOf(resource, before))) return changed;
  return { ...changed, metadata: { ...changed.metadata, generation: (before.metadata.generation ?? 0) + 1 } };
};

function prepared({ resource, subresource, object }: Write, before: KubeObject, server: CoreContext) {
  const { strategy } = resource;
  if (subresource === 'ephemeralcontainers') return withEphemeralContainers(object as Pod, before as Pod);
  // Subresource updates do not change allocated fields.
  const isWhole = subresource === undefined || subresource === 'scale';
  return isWhole
    ? strategy.prepareForUpdate?.(object, before, server)
    : strategy.prepareForStatusUpdate?.(object, before, server, subresource);
}

/** The stored pod with the written ephemeral containers; as in kube-apiserver, dropped changes stay in managedFields. */
function withEphemeralContainers(written: Pod, before: Pod): Pod {
  const { managedFields } = written.metadata;
  const { ephemeralContainers } = written.spec ?? {};
  const spec = withField(before.spec ?? { containers: [] }, 'ephemeralContainers', ephemeralContainers);
  return { ...before, metadata: withField(before.metadata, 'managedFields', managedFields), spec };
}

function identified({ resource, object }: Write, { random, clock }: CoreContext): KubeObject {
  const isFirst = isCounted(resource) && resource.strategy.generation !== 'from the first change';
  const generation = isFirst ? { generation: 1 } : {};
  const { metadata } = object;
  const identity = { name: nameOf(metadata, random), uid: random.uuid(), creationTimestamp: timestamp(clock) };
  return { ...object, metadata: { ...metadata, ...identity, ...generation } };
}

/** Names are generated after admission. */
function nameOf({ name, generateName = '' }: ObjectMeta, random: Random): string {
  const isNamed = ((name as string | undefined) ?? '') !== '' || generateName === '';
  return isNamed ? name : generateName.slice(0, 58) + randomSuffix(random);
}

function isCounted({ custom, strategy }: Resource): boolean {
  return custom || (strategy.generation ?? false) !== false;
}

function withZeroValues({ strategy }: Resource, object: KubeObject): KubeObject {
  return strategy.fillZeroValues?.(object) ?? object;
}

/** The content whose changes increment the generation: everything but metadata and the status subresource. */
function contentOf(resource: Resource, object: KubeObject): object {
  const { metadata: _, ...content } = object;
  if (!hasStatus(resource)) return content;
  const { status: __, ...spec } = content as { status?: unknown };
  return spec;
}
