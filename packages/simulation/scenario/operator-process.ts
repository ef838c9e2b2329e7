// SPDX-License-Identifier: Apache-2.0
import type { Controller } from '@forge/runtime/controller/controller.ts';
import { manager, type ManagerOptions } from '@forge/runtime/controller/manager.ts';
import type { ElectionOptions } from '@forge/runtime/election/leader-election.ts';
import { milliseconds, minutes, seconds } from '@forge/runtime/environment/duration.ts';
import type { ProcessContext, Process } from './scenario.ts';

// No resync during a run: a missed event must have visible effects.
const resync = minutes(60 * 24 * 365);
// Retries happen before the cluster is considered settled.
const backoff = { base: milliseconds(5), cap: seconds(30) };

/** A process that runs controllers in a manager; `options` are passed to the manager. */
export function operatorProcess(
  name: string,
  controllers: (host: ProcessContext) => readonly Controller[],
  options: Partial<ManagerOptions> = {},
): Process {
  return {
    name,
    start(host) {
      const running = manager({ ...host, resync, backoff, ...options });
      for (const controller of controllers(host)) running.add(controller);
      return running.start();
    },
  };
}

/** The timing of the leader election. */
type ElectionTiming = Pick<ElectionOptions, 'duration' | 'renewDeadline' | 'retryPeriod'>;

/** Replicas of a process with leader election. */
export function electedProcesses(
  name: string,
  controllers: (host: ProcessContext) => readonly Controller[],
  { replicas = 2, timing = {} }: { replicas?: number; timing?: ElectionTiming } = {},
): Process[] {
  const lease = { namespace: 'default', name };
  return Array.from({ length: replicas }, (_, index) => ({
    name: `${name}-${index}`,
    start(host) {
      const election = { ...timing, lease, identity: host.name, onLost: host.exit };
      return operatorProcess(host.name, controllers, { election }).start(host);
    },
  }));
}
