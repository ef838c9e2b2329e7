// SPDX-License-Identifier: Apache-2.0
import { jsonEqual } from '@forge/kube/json.ts';
import type { KubeObject } from '@forge/kube/object.ts';
import { timestamp } from '@forge/runtime/clock.ts';
import { hasStatus, type Resource } from '../resource.ts';
import type { WriteStep } from './write.ts';

/** Fills in what only the server can know: identity and first status of a new object, the generation of a changed one. */
export const complete: WriteStep = (write, server) => {
  const { resource, before, object } = write;
  const { strategy } = resource;
  const counted = resource.custom || strategy.generation === true;
  if (before === undefined) {
    const born = {
      ...object,
      metadata: {
        ...object.metadata,
        uid: server.random.uuid(),
        ...(counted && { generation: 1 }),
        creationTimestamp: timestamp(server.clock),
      },
    };
    return strategy.begin?.(born, server) ?? born;
  }
  if (!counted || jsonEqual(contentOf(resource, object), contentOf(resource, before))) return object;
  return { ...object, metadata: { ...object.metadata, generation: (before.metadata.generation ?? 0) + 1 } };
};

/** What the generation counts changes of: everything but metadata and, where it is apart, status. */
function contentOf(resource: Resource, object: KubeObject): object {
  const { metadata: _, ...content } = object;
  if (!hasStatus(resource)) return content;
  const { status: __, ...spec } = content as { status?: unknown };
  return spec;
}
