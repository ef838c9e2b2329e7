// SPDX-License-Identifier: Apache-2.0
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { jsonPayload } from '../messages/payload.ts';
import type { EncodedEvents } from '../storage/encoded-events.ts';
import { eventPayload } from '../storage/stored-object.ts';
import { listPayload } from './list-payload.ts';
import type { View } from './view.ts';

const apiVersion = 'meta.k8s.io/v1';

/** The PartialObjectMetadata of an object. */
export function partialMetadata({ metadata }: KubeObject): KubeObject {
  return { kind: 'PartialObjectMetadata', apiVersion, metadata };
}

/** Objects as PartialObjectMetadata. */
export function partialMetadataView(events: EncodedEvents): View {
  return {
    one: ({ value }) => jsonPayload(partialMetadata(value)),
    many: (objects, metadata) =>
      listPayload({ kind: 'PartialObjectMetadataList', apiVersion, metadata }, objects, {
        value: ({ value }) => partialMetadata(value),
        bytes: ({ value }) => Buffer.from(JSON.stringify(partialMetadata(value))),
      }),
    event: (type, object) =>
      events.of(object, `${type} PartialObjectMetadata`, () =>
        eventPayload(type, jsonPayload(partialMetadata(object.value))),
      ),
  };
}
