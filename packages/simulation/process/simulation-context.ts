// SPDX-License-Identifier: Apache-2.0
import type { ApiServer } from '@forge/apiserver/api-server.ts';
import type { Clock } from '@forge/runtime/environment/clock.ts';
import type { FaultInjector } from '../faults/fault-injector.ts';
import type { Hand } from '../faults/fault-plan.ts';
import type { FaultEffects } from '../faults/variants.ts';
import type { Scheduler } from './scheduler.ts';

/** The context shared by all processes of a simulation run. */
export interface SimulationContext {
  readonly seed: number;
  readonly scheduler: Scheduler;
  /** The simulation's clock, which faults do not affect. */
  readonly clock: Clock;
  readonly server: Pick<ApiServer, 'handle' | 'store'>;
  readonly faults: FaultInjector;
  /** Marks activity, now or at this time, after which the cluster needs time to settle. */
  markActivity: (at?: number) => void;
  /** The process whose request the server handles. */
  writer: string;
  /** Called after every call to an external system. */
  afterCall: (system: string) => void;
  /** Performs a manual change. */
  act: (hand: Hand) => Promise<void>;
  /** Writes that changed nothing, as `{process} {method} {path}`. */
  readonly idleWrites: string[];
  /** What the run shows about its faults. */
  readonly effects: FaultEffects;
  /** Adds a line to the trace. */
  note: (what: string) => void;
  /** Fails the run. */
  fail: (violation: string) => void;
}
