// SPDX-License-Identifier: Apache-2.0
import type { Container, PodSpec } from '@forge/kube/generated/types.ts';
import type { ContainerRecord } from './container-record.ts';

/** The backoff of a crashing container. */
interface BackOff {
  /** When it expires, in milliseconds since the epoch. */
  until: number;
  /** Its total duration, in milliseconds. */
  delay: number;
}

/** The actions for a pod's containers. */
export interface PodPlan {
  start: readonly Container[];
  backOff: ReadonlyMap<string, BackOff>;
  /** No container will be started; running sidecars must stop. */
  ending: boolean;
  /** No container runs or will run. */
  finished: boolean;
}

const firstDelay = 10_000;
const maxDelay = 300_000;

type Records = ReadonlyMap<string, ContainerRecord>;

/**
 * Plans the next actions: init containers one by one, then all containers, restarted by restartPolicy. Sidecars run
 * from their position among the init containers until the last container has finished. Ephemeral containers are started
 * once, whenever they are added.
 */
export function planPod(spec: PodSpec, records: Records, now: number): PodPlan {
  const { initContainers: inits = [], containers, ephemeralContainers = [] } = spec;
  const recordOf = ({ name }: Container) => records.get(name);
  const isRunning = (container: Container) => recordOf(container)?.running !== undefined;
  const wanted = containers.filter((each) => !isRunning(each) && isWanted(spec, recordOf(each)));
  const started = containers.some(isRunning);
  if (!started && wanted.length === 0) return endPod(records);
  const added = ephemeralContainers.filter((each) => !isRunning(each) && !recordOf(each)?.exit);

  // When a container has started, all init containers before it are initialized.
  const last = started ? inits.length : inits.findLastIndex((each) => isRunning(each) || recordOf(each)?.exit);
  const restarted = inits.slice(0, Math.max(0, last)).filter((each) => isSidecar(each) && !isRunning(each));
  const current = inits[last];
  if (current === undefined || isInitialized(current, recordOf(current))) {
    const next = started ? undefined : inits[last + 1];
    return due([...restarted, ...(next ? [next] : wanted), ...added], records, now);
  }
  if (isRunning(current)) return due([...restarted, ...added], records, now);
  if (!isSidecar(current) && spec.restartPolicy === 'Never') return endPod(records);
  return due([...restarted, current, ...added], records, now);
}

/** Whether an init container is a sidecar: restartPolicy Always. */
export function isSidecar({ restartPolicy }: Container): boolean {
  return restartPolicy === 'Always';
}

/** Whether this init container allows the next one to start. */
export function isInitialized(container: Container, record: ContainerRecord | undefined): boolean {
  if (isSidecar(container)) return record?.running !== undefined && record.started;
  return record?.running === undefined && record?.exit?.exitCode === 0;
}

/** The plan of a pod whose containers must stop. */
export function endPod(records: Records): PodPlan {
  const finished = ![...records.values()].some(({ running }) => running);
  return { start: [], backOff: new Map(), ending: true, finished };
}

/** Whether a container that is not running should run. */
function isWanted({ restartPolicy = 'Always' }: PodSpec, record: ContainerRecord | undefined): boolean {
  if (record?.exit === undefined || restartPolicy === 'Always') return true;
  return restartPolicy === 'OnFailure' && record.exit.exitCode !== 0;
}

function due(containers: readonly Container[], records: Records, now: number): PodPlan {
  const backOff = new Map<string, BackOff>();
  for (const { name } of containers) {
    const record = records.get(name);
    // The first restart is immediate: a single exit is not a crash loop.
    if (record?.exit?.finishedAt === undefined || record.crashes < 2) continue;
    const delay = Math.min(maxDelay, firstDelay * 2 ** (record.crashes - 2));
    const until = Date.parse(record.exit.finishedAt) + delay;
    if (until > now) backOff.set(name, { until, delay });
  }
  return { start: containers.filter(({ name }) => !backOff.has(name)), backOff, ending: false, finished: false };
}
