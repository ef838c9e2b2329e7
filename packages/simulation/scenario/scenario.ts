// SPDX-License-Identifier: Apache-2.0
import type { ApiServer } from '@forge/apiserver/api-server.ts';
import type { User } from '@forge/apiserver/messages/server-request.ts';
import type { Change } from '@forge/apiserver/storage/store.ts';
import type { Client } from '@forge/kube/client/client.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { Controller } from '@forge/runtime/controller/controller.ts';
import type { Clock } from '@forge/runtime/environment/clock.ts';
import type { Duration } from '@forge/runtime/environment/duration.ts';
import type { Random } from '@forge/runtime/environment/random.ts';
import type { Logger } from '@forge/runtime/observability/logger.ts';
import type { Hand } from '../faults/fault-plan.ts';
import type { ClusterState } from './cluster-state.ts';

/** What a process gets from the simulation. */
export interface ProcessContext {
  /** Its identity, unique per run. */
  readonly name: string;
  readonly client: Client;
  readonly clock: Clock;
  /** A clock whose timers outlive the process, for external systems that it runs. */
  readonly lastingClock: Clock;
  readonly random: Random;
  readonly log: Logger;
  /** A call to an external system, which the fault plan may fail; one that `reads` changes nothing there. */
  outside: <T>(system: string, call: () => T | Promise<T>, options?: { reads?: boolean }) => Promise<T>;
  /** Waits for real asynchronous work, such as reading a file. */
  external: <T>(promise: Promise<T>) => Promise<T>;
  /** Exits the process; it is restarted, like a pod. */
  exit: () => void;
}

/** A process of a scenario; it is restarted after a crash. */
export interface Process {
  readonly name: string;
  start(host: ProcessContext): unknown;
  /** The user of its requests, for RBAC. Default: the administrator. */
  readonly user?: User;
  /** Not subject to faults: it is part of the environment. */
  readonly reliable?: boolean;
  /** Whether each of its writes must change something, unless it has seen outdated state. */
  readonly frugal?: boolean;
  /** Whether it works periodically by its own clock: after a jump of the clock, its work may be due again. */
  readonly periodic?: boolean;
}

/** What a step can do besides sending requests. */
export interface StepControl {
  /** The current state of the cluster, without sending requests. */
  readonly state: ClusterState;
  readonly clock: Clock;
  /** A client with another user than the administrator, without faults. */
  readonly as: (user: User) => Client;
  /** The process of this name: `end` stops it, `start` starts it again. */
  readonly process: (name: string) => { start(): void; end(): void };
  /** All processes: `release` delivers their delayed events. */
  readonly processes: readonly { release(): boolean }[];
}

/** Whether something holds after this change, which the process `writer` made; a step's own writer is `user`. */
type Rule = (cluster: ClusterState, change: Change, writer: string) => boolean;

/** Whether something holds at this time, in milliseconds. */
type Invariant = (cluster: ClusterState, now: number) => boolean;

/** The processes, user steps and rules of one run. */
export interface ScenarioRun {
  readonly processes: readonly Process[];
  /** The steps of users, in order; the cluster settles before each, but events may be held back to the end. */
  readonly steps: readonly ((user: Client, control: StepControl) => Promise<unknown>)[];
  /** What must hold after every change, by description. */
  readonly rules?: Readonly<Record<string, Rule>>;
  /** What must hold after every change, after every call to an external system, and every minute, by description. */
  readonly invariants?: Readonly<Record<string, Invariant>>;
  /** How often a process may write an object within a minute. Default: 30. */
  readonly mostWritesPerMinute?: number;
  /** The external state after the run, for the comparison with the baseline run. */
  readonly outside?: (cluster: ClusterState) => unknown;
}

/** A cluster to start from. */
export interface PreparedCluster extends Pick<ApiServer, 'store'> {
  /** The time of its last change, at which runs start. Default: the first day of 2026. */
  readonly leftAt?: number;
}

/** Manual changes: people delete and edit children of resources by hand. */
export interface ManualChanges {
  /** The children are the objects of kinds that these own. */
  readonly controllers: readonly Pick<Controller, 'for' | 'owns'>[];
  /** Further objects, which have no owner. Default: none. */
  readonly unowned?: readonly { readonly kind: Kind; readonly keys: RegExp }[];
  /**
   * Whether a manual change at this moment destroys data that cannot be restored; then no new data may take its place.
   * Default: never.
   */
  readonly destroysData?: (hand: Hand, cluster: ClusterState) => boolean;
  /** Keys of objects that may differ after this manual change of this child; one at 0 happens at rest. Default: none. */
  readonly mayDifferAfter?: (child: string, hand: Pick<Hand, 'does'> & { readonly at: number }) => RegExp | undefined;
  /** Keys of children that are created once and never updated, so that manual changes remain. Default: none. */
  readonly createdOnce?: RegExp;
}

/** What happens in a cluster, run repeatedly with different fault plans. */
export interface Scenario {
  /** Sets up the cluster, once; every run starts with a fork of it. */
  setUp?(user: Client): Promise<unknown>;
  /** The cluster to fork for every run, instead of an empty one with `setUp`; called once. */
  from?(): Promise<PreparedCluster>;
  /** Creates the state of one run; called for every run. */
  newRun(): ScenarioRun;
  /** Names of fields whose values differ from run to run, such as digests of uids, and finalizers that differ. */
  readonly incomparable?: RegExp;
  /** Texts that differ from run to run, such as one that names who was elected. */
  readonly unpredictable?: RegExp;
  /** Names of fields that record earlier states, which a run skips when a process sees several user steps at once. */
  readonly history?: RegExp;
  /** Values that depend on earlier states, such as generated names; ignored like `history`. */
  readonly volatile?: RegExp;
  /** Keys of objects that others create, any number of times. Default: none. */
  readonly createdByOthers?: RegExp;
  /**
   * Keys of objects that are recreated when a dependency, or a person, gives up on them after an outage or a reply that was
   * never seen. Default: none.
   */
  readonly recreatedAfterOutage?: RegExp;
  /**
   * Keys of objects that remain when they lost their owner while a process was down: it cannot know why. Default: none.
   */
  readonly keptAfterCrash?: RegExp;
  /** Manual changes of children. Default: none. */
  readonly manualChanges?: ManualChanges;
  /** The cluster has settled when there was no activity for this long. Default: 40 seconds. */
  readonly settleTime?: Duration;
}
