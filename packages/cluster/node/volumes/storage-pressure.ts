// SPDX-License-Identifier: Apache-2.0
import { sleep, type Clock } from '@forge/runtime/environment/clock.ts';

/** Shorter than the kubelet's ten seconds: here the storage is memory, and fills faster. */
const interval = 1000;

/** The kubelet's threshold for the node's file system: pods are evicted when less than this part is available. */
const threshold = 0.1;

/** A pod that occupies storage. */
export interface StorageUser {
  usedBytes(): Promise<number>;
  /** Evicts it, with the kubelet's message. */
  evict(message: string): void;
}

/** Watches what all pods of a node write together. */
export interface StoragePressure {
  /** Counts a pod until the signal aborts. */
  count(user: StorageUser, signal: AbortSignal): void;
}

interface PressureOptions {
  clock: Clock;
  signal: AbortSignal;
}

/**
 * Evicts the pod that occupies most whenever the pods have nearly used the storage of the node up. A pod that is being
 * evicted no longer counts: it is about to free what it has.
 */
export function storagePressure(capacity: number, { clock, signal }: PressureOptions): StoragePressure {
  const users = new Set<StorageUser>();

  async function relieve(): Promise<void> {
    const measured = await Promise.all([...users].map(async (user) => ({ user, used: await user.usedBytes() })));
    const counted = measured.filter(({ user }) => users.has(user)).toSorted((one, other) => other.used - one.used);
    let available = counted.reduce((left, { used }) => left - used, capacity);
    for (const { user, used } of counted) {
      if (available >= capacity * threshold) return;
      users.delete(user);
      user.evict(messageOf(capacity, available));
      available += used;
    }
  }

  async function watch(): Promise<void> {
    for (;;) {
      await sleep(clock, interval, signal).catch(() => undefined);
      if (signal.aborted) return;
      await relieve();
    }
  }

  void watch();
  return {
    count(user, until) {
      users.add(user);
      until.addEventListener('abort', () => users.delete(user), { once: true });
    },
  };
}

function messageOf(capacity: number, available: number): string {
  const quantities = `Threshold quantity: ${Math.floor(capacity * threshold)}, available: ${Math.floor(Math.max(0, available) / 1024)}Ki`;
  return `The node was low on resource: ephemeral-storage. ${quantities}. `;
}
