// SPDX-License-Identifier: Apache-2.0
import type { FaultOf } from '../faults/fault-plan.ts';
import { never, type ProcessRun } from './process-run.ts';
import type { SimulationContext } from './simulation-context.ts';

interface OutsideCall<T> {
  system: string;
  call: () => T | Promise<T>;
  /** Whether it changes nothing in the system. */
  reads?: boolean;
}

/** The call took effect, but the connection broke before its reply arrived. */
export class LostReplyError extends Error {
  override readonly name = 'LostReplyError';
}

/** A call of one run of a process to an external system: it and its reply wait for their turns, and for the planned faults. */
export async function outsideCall<T>(
  run: ProcessRun,
  context: SimulationContext,
  { system, call, reads = false }: OutsideCall<T>,
): Promise<T> {
  const { faults } = context;
  const due = faults.count(run.process, 'call');
  const number = faults.counts.get(run.process)?.call ?? 0;
  for (const fault of due) if (fault.fault === 'outage') run.outage = fault.calls;
  await run.turn(`calls ${system}`);
  if (crashes(due, 'before')) return crash(run);
  if (run.outage > 0) {
    run.outage -= 1;
    context.markActivity();
    throw new Error(`${system} is down`);
  }
  try {
    const reply = await call();
    context.afterCall(system);
    if (!reads) faults.noteChange(run.process, number);
    if (due.some(({ fault }) => fault === 'lost-reply')) throw lostReply(context, system);
    if (!crashes(due, 'after')) await run.turn(`receives the answer of ${system}`);
    return run.ended.aborted ? await never() : reply;
  } finally {
    if (crashes(due, 'after')) await crash(run);
  }
}

function crashes(due: readonly FaultOf<'call'>[], when: 'before' | 'after'): boolean {
  return due.some((fault) => fault.fault === 'crash-at-call' && fault.when === when);
}

function crash(run: ProcessRun): Promise<never> {
  run.end();
  return never();
}

function lostReply(context: SimulationContext, system: string): LostReplyError {
  context.markActivity();
  return new LostReplyError(`the connection to ${system} broke`);
}
