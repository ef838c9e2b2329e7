// SPDX-License-Identifier: Apache-2.0
import { type Kind, resourceName } from '@forge/kube/kinds/kind.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { trackUpdate } from '@forge/kube/patch/track-update.ts';
import { timestamp } from '@forge/runtime/environment/clock.ts';
import type { User } from '../messages/server-request.ts';
import type { ServerContext } from '../request/server-context.ts';

/** The user of the server's own objects. */
const apiServerUser: User = { name: 'system:apiserver', groups: ['system:masters'] };

/** Creates an object if it is missing: with the defaults of its kind, but without admission. */
export function createIfMissing<T extends KubeObject>(
  server: ServerContext,
  kind: Kind<T>,
  object: T,
  manager: string,
): void {
  const { store, clock, random, resources } = server;
  const { namespace = '', name } = object.metadata;
  const key = `${resourceName(kind)}/${namespace}/${name}`;
  const { strategy = {} } = resources.findKind(kind.apiVersion, kind.kind) ?? {};
  if (store.current.objects.get(key) !== undefined) return;
  const time = timestamp(clock);
  const after: KubeObject = strategy.default?.(object) ?? object;
  const tracked = trackUpdate({ before: undefined, after, schema: kind.schema, manager, time });
  const created = { ...tracked, metadata: { ...tracked.metadata, uid: random.uuid(), creationTimestamp: time } };
  store.commit(key, undefined, strategy.prepareForCreate?.(created, server, apiServerUser) ?? created);
}
