// SPDX-License-Identifier: Apache-2.0
import type { Socket } from 'node:net';
import { minutes } from '@forge/runtime/environment/duration.ts';
import { addresses } from './addresses.ts';
import { reset } from './pipe-sockets.ts';

/** How many connections through the node a pod, and all pods together, may have. */
interface ConnectionCounts {
  all: number;
  ofOnePod: number;
}

/** Limits the connections of pods to the node; those of the node itself are always admitted. */
export interface ConnectionLimits {
  /** Counts a connection until it closes; resets it and returns false when its pod has too many. */
  admit(socket: Socket, idle?: number): boolean;
}

/** A connection without traffic is closed after this time; kube-proxy's default is a day. */
const maxIdle = minutes(60);
const maxPerPod = 1024;

/**
 * The counts for a process that may open this many descriptors. A connection needs two, its own and that to its target;
 * a quarter of all is reserved for the node: to start containers, for logs, and for kubectl exec.
 */
export function connectionCounts(openFiles: number): ConnectionCounts {
  const reserve = Math.max(openFiles / 4, Math.min(1024, openFiles / 2));
  const all = Math.floor((openFiles - reserve) / 2);
  return { all, ofOnePod: Math.min(maxPerPod, Math.floor(all / 4)) };
}

/** Counts connections by pod. When there are too many in total, the oldest connection of the pod with most is reset. */
export function connectionLimits(counts: ConnectionCounts): ConnectionLimits {
  const byPod = new Map<string, Set<Socket>>();
  let all = 0;

  function release(pod: string, socket: Socket): void {
    const own = byPod.get(pod);
    if (own?.delete(socket) !== true) return;
    all -= 1;
    if (own.size === 0) byPod.delete(pod);
  }

  /** Makes room for another connection of a pod that has this many. */
  function makeRoom(has: number): boolean {
    if (all < counts.all) return true;
    const [pod, most] = [...byPod].reduce((one, other) => (other[1].size > one[1].size ? other : one));
    const [oldest] = most;
    if (oldest === undefined || most.size <= has + 1) return false;
    release(pod, oldest);
    reset(oldest);
    return true;
  }

  return {
    admit(socket, idle = maxIdle) {
      const pod = socket.remoteAddress;
      if (pod === undefined || !isPod(pod)) return true;
      socket.setTimeout(idle, () => reset(socket));
      const own = byPod.get(pod) ?? new Set();
      if (own.size >= counts.ofOnePod || !makeRoom(own.size)) {
        reset(socket);
        return false;
      }
      byPod.set(pod, own.add(socket));
      all += 1;
      socket.once('close', () => release(pod, socket));
      return true;
    },
  };
}

/** Whether an address is that of a pod, and not one of the node's own. */
function isPod(address: string): boolean {
  const [first, second] = addresses.node.split('.');
  return address.startsWith(`${first}.${second}.`) && address !== addresses.node;
}
