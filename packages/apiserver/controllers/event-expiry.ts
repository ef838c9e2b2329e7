// SPDX-License-Identifier: Apache-2.0
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { minutes } from '@forge/runtime/environment/duration.ts';
import { inSlices } from '../messages/slices.ts';
import type { ServerContext } from '../request/server-context.ts';
import { observeChanges } from './observe-changes.ts';
import { workQueue } from './work-queue.ts';

/** How long an Event is kept after it was last written: the default of kube-apiserver's --event-ttl. */
const timeToLive = minutes(60);

/** Events of both groups: those of events.k8s.io are stored as the core group's. */
const prefix = 'events/';

/** Deletes Events an hour after their last write, regardless of finalizers; watches get DELETED. */
export function eventExpiry(server: ServerContext): () => Promise<void> {
  const { store, clock } = server;
  /** Last write of each Event, in order: one timer, for the oldest, is enough. */
  const written = new Map<string, number>();
  let cancel: (() => void) | undefined;

  function* expired(): Generator<string> {
    for (const [key, time] of written) {
      if (time + timeToLive > clock.now()) return;
      yield key;
    }
  }

  async function expire(): Promise<void> {
    for await (const keys of inSlices(expired(), () => 0)) {
      for (const key of keys) {
        const stored = store.current.objects.get(key);
        if (stored !== undefined) store.commit(key, stored, undefined);
      }
    }
    await store.durable();
    waitForFirst();
  }

  function waitForFirst(): void {
    const { value: first } = written.values().next();
    if (first === undefined || cancel !== undefined) return;
    cancel = clock.after(Math.max(0, first + timeToLive - clock.now()), () => {
      cancel = undefined;
      queue.add('expired');
    });
  }

  const queue = workQueue('event-expiry', server, expire);
  const found = [...store.current.objects.withPrefix(prefix)];
  const times = found.map(({ key, value }) => [key, Math.min(lastWriteOf(value), clock.now())] as const);
  for (const [key, time] of times.toSorted(([, one], [, other]) => one - other)) written.set(key, time);
  waitForFirst();
  const stopObserving = observeChanges(server, ({ type, object: { key } }) => {
    if (!key.startsWith(prefix)) return;
    written.delete(key);
    if (type === 'DELETED') return;
    written.set(key, clock.now());
    waitForFirst();
  });
  return async () => {
    stopObserving();
    cancel?.();
    await queue.stop();
  };
}

/** When the object was last written, by its metadata. */
function lastWriteOf({ metadata: { creationTimestamp, managedFields = [] } }: KubeObject): number {
  const times = [creationTimestamp, ...managedFields.map(({ time }) => time)];
  return Math.max(0, ...times.flatMap((time) => (time === undefined ? [] : Date.parse(time))));
}
