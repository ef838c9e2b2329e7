// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import type { Logger } from '@forge/runtime/logging/logger.ts';
import type { Random } from '@forge/runtime/random/random.ts';
import type { Clock } from '@forge/runtime/time/clock.ts';
import type { Duration } from '@forge/runtime/time/duration.ts';
import type { ClusterState } from './cluster-state.ts';

/** What a process has of the world. */
export interface ProcessContext {
  /** Its identity; no two lives have the same. */
  readonly name: string;
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  /** A call to a system outside of the cluster, which the plan may let fail. */
  outside: <T>(system: string, call: () => T | Promise<T>) => Promise<T>;
  /** Waits for what is asynchronous in reality, such as reading a file. */
  external: <T>(promise: Promise<T>) => Promise<T>;
  /** Ends the process; it starts anew, as a pod does. */
  exit: () => void;
}

/** A program in the run; it starts anew after a crash. */
export interface Process {
  readonly name: string;
  start(host: ProcessContext): unknown;
  /** Nothing befalls it: it plays the surroundings. */
  readonly reliable?: boolean;
}

/** One run's processes, what users do, and what must be so. */
export interface ScenarioRun {
  readonly processes: readonly Process[];
  /** What users do, one thing after the other; the world settles in between, but events may be held back to the end. */
  readonly steps: readonly ((user: Client) => Promise<unknown>)[];
  /** What must hold in every state, by what it says. */
  readonly rules?: Readonly<Record<string, (cluster: ClusterState) => boolean>>;
  /** What the run left outside of the cluster, for the comparison with the baseline run. */
  readonly outside?: () => unknown;
}

/** Something that happens to a cluster, to be run again and again under different plans. */
export interface Scenario {
  /** What the cluster has before anything starts; done once, every run begins with a copy. */
  setUp?(user: Client): Promise<unknown>;
  /** What a run consists of; called for every run, so that each has a state of its own. */
  newRun(): ScenarioRun;
  /** The world has settled when nothing was written for so long. Default: 40 seconds. */
  readonly settleTime?: Duration;
}
