// SPDX-License-Identifier: Apache-2.0
import { breakConnection } from '@forge/apiserver/faults/break-connection.ts';
import { failWith } from '@forge/apiserver/faults/fail-with.ts';
import type { Fault as LineFault } from '@forge/apiserver/faults/fault-injector.ts';
import { staleLists } from '@forge/apiserver/faults/stale-lists.ts';
import { sleep } from '@forge/runtime/environment/clock.ts';
import type { FaultOf } from '../faults/fault-plan.ts';
import { never, type ProcessRun } from './process-run.ts';
import type { SimulationContext } from './simulation-context.ts';

/** A fault that affects a request. */
export type RequestFault = FaultOf<'write' | 'request' | 'watch' | 'list'>;

/** The effect of a fault on a request. */
export function faultEffect(fault: RequestFault, run: ProcessRun, context: SimulationContext): LineFault {
  const { clock, server, markActivity } = context;
  switch (fault.fault) {
    case 'crash':
      return async (request, next) => {
        if (fault.when === 'after') await next(request);
        run.end(fault.away);
        return await never();
      };
    case 'freeze':
      return async (request, next) => {
        const answer = await next(request);
        run.freeze(fault.for);
        return answer;
      };
    case 'jump':
      return async (request, next) => {
        const answer = await next(request);
        run.skew += fault.by;
        return answer;
      };
    case 'hand':
      return async (request, next) => {
        const answer = await next(request);
        await context.act(fault);
        return answer;
      };
    case 'slow':
      return async (request, next) => {
        markActivity(clock.now() + fault.for);
        const answer = await next(request);
        await sleep(clock, fault.for, request.signal);
        return answer;
      };
    case 'cut':
      return breakConnection(fault.when);
    case 'refuse':
      return (request, next) => {
        context.effects.refusedChange = request.method !== 'GET';
        return failWith(fault.code)(request, next);
      };
    case 'shut':
      return failWith(fault.code);
    case 'stale':
      return (request, next) => {
        const { store } = server;
        const revision = Math.max(store.current.revision - fault.behind, run.knownRevision, store.oldest);
        return staleLists(revision)(request, next);
      };
  }
}
