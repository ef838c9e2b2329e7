// SPDX-License-Identifier: Apache-2.0
import type { Handle, ServerRequest, ServerResponse } from '../messages/server-request.ts';

/** A fault between client and server: responds itself, or forwards the request and changes the response. */
export type Fault = (request: ServerRequest, next: Handle) => Promise<ServerResponse>;

/** Selects the requests that a fault applies to. */
type Matches = (request: ServerRequest) => boolean;

/** A server with faults that tests inject and remove at run time. */
export interface FaultInjector {
  /** Handles requests like the server, with the injected faults. */
  readonly handle: Handle;
  /** Injects a fault for matching requests, before existing ones; returns a function that removes it. */
  inject(fault: Fault, matches?: Matches): () => void;
}

/** An injector without faults. */
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

/** Limits a fault to a number of requests. */
export function times(count: number, fault: Fault): Fault {
  let left = count;
  return (request, next) => {
    if (left === 0) return next(request);
    left -= 1;
    return fault(request, next);
  };
}
