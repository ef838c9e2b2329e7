// SPDX-License-Identifier: Apache-2.0
import type { Handle, ServerRequest, ServerResponse } from '../request/server-request.ts';

/** A disturbance on the way to a server: answers in its place, or passes the request on and changes what comes of it. */
export type Fault = (request: ServerRequest, next: Handle) => Promise<ServerResponse>;

/** Which requests a fault is for. */
type Matches = (request: ServerRequest) => boolean;

/** A server as callers see it through faults that tests put in and take out while it runs. */
export interface FaultInjector {
  /** Stands in the server's place: what is sent through a transport on it meets the faults. */
  readonly handle: Handle;
  /** Puts a fault in the way of matching requests, before those already there; gives a function that takes it out. */
  inject(fault: Fault, matches?: Matches): () => void;
}

/** A line to the server that is undisturbed as yet. */
export function faultInjector(server: { handle: Handle }): FaultInjector {
  const faults = new Set<{ fault: Fault; matches: Matches }>();
  return {
    handle: (request) => {
      let handle: Handle = server.handle;
      for (const { fault, matches } of faults) {
        const next = handle;
        if (matches(request)) handle = (passed) => fault(passed, next);
      }
      return handle(request);
    },
    inject(fault, matches = () => true) {
      const entry = { fault, matches };
      faults.add(entry);
      return () => faults.delete(entry);
    },
  };
}

/** The fault for so many requests; those after them pass. */
export function times(count: number, fault: Fault): Fault {
  let left = count;
  return (request, next) => {
    if (left === 0) return next(request);
    left -= 1;
    return fault(request, next);
  };
}
