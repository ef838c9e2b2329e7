// SPDX-License-Identifier: Apache-2.0
import type { ApiServer } from '@forge/apiserver/api-server.ts';
import type { Clock } from '@forge/runtime/time/clock.ts';
import type { FaultInjector } from '../faults/fault-injector.ts';
import type { Scheduler } from '../scheduler/scheduler.ts';

/** What all processes of a run share. */
export interface SimulationContext {
  readonly seed: number;
  readonly scheduler: Scheduler;
  /** The time of the world, which stands still for nobody. */
  readonly clock: Clock;
  readonly server: Pick<ApiServer, 'handle' | 'store'>;
  readonly faults: FaultInjector;
  /** Something happened, or will at this time, after which the world needs time to settle. */
  markActivity: (at?: number) => void;
  /** Tells the trace. */
  note: (what: string) => void;
  /** Ends the run: this must never happen. */
  fail: (violation: string) => void;
}
