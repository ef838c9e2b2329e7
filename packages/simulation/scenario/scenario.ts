// SPDX-License-Identifier: Apache-2.0
import type { ApiServer } from '@forge/apiserver/api-server.ts';
import type { User } from '@forge/apiserver/request/server-request.ts';
import type { Change } from '@forge/apiserver/storage/store.ts';
import type { Client } from '@forge/kube/client/client.ts';
import type { Controller } from '@forge/runtime/controller/controller.ts';
import type { Logger } from '@forge/runtime/logging/logger.ts';
import type { Random } from '@forge/runtime/random/random.ts';
import type { Clock } from '@forge/runtime/time/clock.ts';
import type { Duration } from '@forge/runtime/time/duration.ts';
import type { Hand } from '../faults/fault-plan.ts';
import type { ClusterState } from './cluster-state.ts';

/** What a process gets from the simulation. */
export interface ProcessContext {
  /** Its identity, unique per run. */
  readonly name: string;
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  /** A call to an external system, which the fault plan may fail. */
  outside: <T>(system: string, call: () => T | Promise<T>) => Promise<T>;
  /** Waits for real asynchronous work, such as reading a file. */
  external: <T>(promise: Promise<T>) => Promise<T>;
  /** Exits the process; it is restarted, like a pod. */
  exit: () => void;
}

/** A process of a scenario; it is restarted after a crash. */
export interface Process {
  readonly name: string;
  start(host: ProcessContext): unknown;
  /** Whom its requests come from, for RBAC. Default: the administrator. */
  readonly user?: User;
  /** Not subject to faults: it is part of the environment. */
  readonly reliable?: boolean;
  /** Whether each of its writes must change something, unless it was shown outdated state. */
  readonly frugal?: boolean;
  /** Whether it repeats its work at intervals of its own clock: when that has jumped, it may be due after a restart. */
  readonly periodic?: boolean;
}

/** What a step can do beside sending requests. */
export interface StepControl {
  /** The cluster as it is at this moment, without a request. */
  readonly state: ClusterState;
  readonly clock: Clock;
  /** A client of somebody else than the administrator, without faults. */
  readonly as: (user: User) => Client;
  /** The process of this name: `end` makes it vanish, `start` brings it back, `release` delivers its delayed events. */
  readonly process: (name: string) => { start(): void; end(): void; release(): boolean };
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
  /** The external state after the run, for the comparison with the baseline run. */
  readonly outside?: () => unknown;
}

/** A cluster to start from. */
export interface PreparedCluster extends Pick<ApiServer, 'store'> {
  /** When it was left; those that start from it go on at that time. Default: the first day of 2026. */
  readonly leftAt?: number;
}

/** Whose objects people delete and edit by hand. */
export interface HandsOn {
  /** The children are the objects of kinds that these own. */
  readonly controllers: readonly Pick<Controller, 'for' | 'owns'>[];
  /** Whether a hand takes now what nobody can make again, so that nobody may. Default: never. */
  readonly isLoss?: (hand: Hand, cluster: ClusterState) => boolean;
  /** Keys of what may differ after a hand on this child. Default: nothing. */
  readonly aftermathOf?: (child: string) => RegExp | undefined;
  /** Keys of children that are created and never changed: what is taken off them stays off. Default: none. */
  readonly createdOnce?: RegExp;
}

/** What happens in a cluster, run repeatedly with different fault plans. */
export interface Scenario {
  /** Sets up the cluster, once; every run starts with a fork of it. */
  setUp?(user: Client): Promise<unknown>;
  /** The cluster that every run starts with a fork of, instead of an empty one with `setUp`; called once. */
  from?(): Promise<PreparedCluster>;
  /** Creates the state of one run; called for every run. */
  newRun(): ScenarioRun;
  /** Names of fields whose values differ from run to run, such as digests that uids are part of, and finalizers that do. */
  readonly incomparable?: RegExp;
  /** Names of fields that record earlier states, which a run skips when a process sees several user steps at once. */
  readonly history?: RegExp;
  /** Texts that say which of several it is, such as generated names; they count like `history`. */
  readonly volatile?: RegExp;
  /** Keys of objects that others create, as often as they like. Default: none. */
  readonly createdByOthers?: RegExp;
  /** Keys of objects that are created again when a dependency gives up on them after an outage. Default: none. */
  readonly recreatedAfterOutage?: RegExp;
  /** Keys of objects that are kept when they lost their owner while a process was away: it cannot know why. Default: none. */
  readonly keptAfterCrash?: RegExp;
  /** The controllers whose objects people delete and edit by hand. Default: nobody does. */
  readonly handsOn?: HandsOn;
  /** The cluster has settled when there was no activity for this long. Default: 40 seconds. */
  readonly settleTime?: Duration;
}
