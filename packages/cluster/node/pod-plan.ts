// SPDX-License-Identifier: Apache-2.0
import type { Container, PodSpec } from '@forge/kube/generated/types.ts';
import type { ContainerRecord } from './container-record.ts';

/** The wait before a container that keeps ending is started again. */
interface BackOff {
  /** When it is over, in milliseconds since the epoch. */
  until: number;
  /** Its whole length, in milliseconds. */
  delay: number;
}

/** What is to be done for a pod's containers. */
export interface PodPlan {
  start: readonly Container[];
  backOff: ReadonlyMap<string, BackOff>;
  /** No container runs, and none will. */
  finished: boolean;
}

const firstDelay = 10_000;
const longestDelay = 300_000;

/** What comes next: init containers one after the other, then all containers, each again as the restart policy says. */
export function planPod(spec: PodSpec, records: ReadonlyMap<string, ContainerRecord>, now: number): PodPlan {
  const idle = spec.containers.filter(({ name }) => !records.get(name)?.running);
  const wanted = idle.filter(({ name }) => isWanted(spec, records.get(name)));
  if (idle.length === spec.containers.length && wanted.length === 0) return { ...nothing, finished: true };
  for (const container of spec.initContainers ?? []) {
    const record = records.get(container.name);
    if (record?.running) return nothing;
    if (record?.exit?.exitCode === 0) continue;
    if (record?.exit && spec.restartPolicy === 'Never') return { ...nothing, finished: true };
    return due([container], records, now);
  }
  return due(wanted, records, now);
}

const nothing: PodPlan = { start: [], backOff: new Map(), finished: false };

/** Whether a container that does not run should. */
function isWanted({ restartPolicy = 'Always' }: PodSpec, record: ContainerRecord | undefined): boolean {
  if (record?.exit === undefined || restartPolicy === 'Always') return true;
  return restartPolicy === 'OnFailure' && record.exit.exitCode !== 0;
}

function due(containers: readonly Container[], records: ReadonlyMap<string, ContainerRecord>, now: number): PodPlan {
  const backOff = new Map<string, BackOff>();
  for (const { name } of containers) {
    const record = records.get(name);
    // The first end costs nothing: a single accident is no loop.
    if (record?.exit?.finishedAt === undefined || record.crashes < 2) continue;
    const delay = Math.min(longestDelay, firstDelay * 2 ** (record.crashes - 2));
    const until = Date.parse(record.exit.finishedAt) + delay;
    if (until > now) backOff.set(name, { until, delay });
  }
  return { start: containers.filter(({ name }) => !backOff.has(name)), backOff, finished: false };
}
