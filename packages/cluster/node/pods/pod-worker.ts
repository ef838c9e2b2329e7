// SPDX-License-Identifier: Apache-2.0
import { rm } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { isApiError } from '@forge/kube/errors/api-error.ts';
import type { Container } from '@forge/kube/generated/types.ts';
import { Pod } from '@forge/kube/kinds/builtin.ts';
import { refOf } from '@forge/kube/objects/object.ts';
import { specOf } from '../../objects/pod-spec.ts';
import { isTerminal } from '../../objects/pod-state.ts';
import type { RunningContainer } from '../containers/container-runtime.ts';
import type { ContainerLog } from '../logs/container-log.ts';
import { ContainerConfigError } from '../references/container-config-error.ts';
import { exceededLimit } from '../volumes/empty-dir-limits.ts';
import { newRecord, recordsOf, type ContainerRecord } from './container-record.ts';
import { loggedRun, type LogProblem } from './logged-run.ts';
import { logsFolder } from './logs-folder.ts';
import { graceOf, podContainers } from './pod-containers.ts';
import type { PodContext } from './pod-context.ts';
import { podEnvironment, type PodEnvironment } from './pod-environment.ts';
import { podImages } from './pod-images.ts';
import { endPod, planPod, type PodPlan } from './pod-plan.ts';
import { statusReporter } from './status-reporter.ts';

/** The retry delay after errors other than missing references. */
const retryDelay = 5000;

/** The grace period of an evicted pod, as with the kubelet. */
const evictionGrace = 1000;

/** Pods with at least this priority are critical and not evicted because of the limit of an emptyDir. */
const criticalPriority = 2_000_000_000;

/** Runs one pod according to its spec, and keeps its status up to date. */
export interface PodWorker {
  /** Resolves when the pod's status has been written for the first time. */
  readonly statusReported: Promise<void>;
  /** Handles a new version of the pod. */
  update(pod: Pod): void;
  /**
   * Stops the containers within at most this many milliseconds each, without status updates: the node itself is
   * stopping.
   */
  end(maxGrace: number): Promise<void>;
  /** Removes everything immediately: the pod no longer exists. */
  remove(): Promise<void>;
  /** The log of a container's current or previous run; or why there is none. */
  log(container: string, previous: boolean): ContainerLog | LogProblem;
  /** The running container. */
  running(container: string): RunningContainer | undefined;
  /** The file of the pod's network namespace. */
  readonly networkNamespace: string | undefined;
}

/** Starts a worker for a pod bound to this node. */
export function podWorker(bound: Pod, context: PodContext): PodWorker {
  const { clock, client } = context;
  const log = context.log.with({ pod: `${bound.metadata.namespace}/${bound.metadata.name}` });
  const spec = specOf(bound);
  const records = recordsOf(bound);
  const images = podImages({
    requestImage: context.requestImage,
    clock,
    changed: wake,
    event: (reason, message) => void context.event(bound, { type: 'Normal', reason, message }),
  });
  const environment = podEnvironment(bound, context, wake);
  const containers = podContainers({ pod: bound, records, environment, context, changed: wake });
  const reporter = statusReporter(bound, { client, clock, log });
  let pod = bound;
  let stopping: Promise<void> | undefined;
  let syncing = Promise.resolve();
  let pending = false;
  let cancelTimer: (() => void) | undefined;
  let measured: Promise<void> | undefined;
  let evicted: string | undefined;
  const recordedBackOffs = new Map<string, number>();
  const ending = new AbortController();
  const storageUser = {
    usedBytes: async () => (await context.storage.used(environment.folder, spec)) + (await containers.usedStorage()),
    evict: evictBecause,
  };

  const isStopping = () => stopping !== undefined;

  function wake(): void {
    if (pending || stopping) return;
    pending = true;
    syncing = after(syncing);
  }

  async function after(earlier: Promise<void>): Promise<void> {
    await earlier;
    pending = false;
    if (!stopping) await guarded(sync, wake);
  }

  /** An error in one pod must not affect the others: it is logged and retried. */
  async function guarded(work: () => Promise<void>, retry: () => void): Promise<void> {
    try {
      await work();
    } catch (error) {
      log.error('unexpected error in the pod worker; retrying', { error });
      clock.after(retryDelay, retry);
    }
  }

  function wakeAt(time: number): void {
    cancelTimer?.();
    cancelTimer = time === Infinity ? undefined : clock.after(Math.max(0, time - clock.now()), wake);
  }

  /** One sync: plan, act, report. */
  async function sync(): Promise<void> {
    if (isTerminal(pod)) {
      ending.abort();
      await containers.stopAll(graceOf(pod));
      return environment.remove();
    }
    if (evicted !== undefined) return evict();
    let wakeTime = Infinity;
    let problem: string | undefined;
    try {
      const ready = await environment.prepare();
      measured ??= guarded(() => measure(ready), remeasure);
      const due = plan().start;
      const pulled = due.map(({ image = '' }) => images.get(image).state !== 'pulling');
      // In order: containers after one that is pulling wait, but images are pulled concurrently.
      for (const container of due.slice(0, pulled.includes(false) ? pulled.indexOf(false) : undefined)) {
        // The pod may have been deleted during a hook.
        if (isStopping()) break;
        wakeTime = Math.min(wakeTime, await start(container, ready));
      }
    } catch (error) {
      problem = (error as Error).message;
      wakeTime = clock.now() + retryDelay;
      if (problem !== reportedProblem()) {
        void context.event(pod, { type: 'Warning', reason: 'FailedMount', message: problem });
      }
    }
    const next = plan();
    for (const [name, { until }] of next.backOff) {
      recordBackOff(name, until);
      wakeTime = Math.min(wakeTime, until);
    }
    wakeAt((await report(next, problem)) ? wakeTime : Math.min(wakeTime, clock.now() + retryDelay));
    if (next.finished) await environment.remove();
    else if (next.ending) await containers.stopAll(graceOf(pod));
  }

  /** Records one Event about the back-off of a container until this time. */
  function recordBackOff(container: string, until: number): void {
    if (recordedBackOffs.get(container) === until) return;
    recordedBackOffs.set(container, until);
    const { name, namespace, uid } = pod.metadata;
    const message = `Back-off restarting failed container ${container} in pod ${name}_${namespace}(${uid})`;
    void context.event(pod, { type: 'Warning', reason: 'BackOff', message });
  }

  function plan(): PodPlan {
    const { ephemeralContainers = [] } = specOf(pod);
    return planPod({ ...spec, ephemeralContainers }, records, clock.now());
  }

  /** Starts measuring storage; a pod that exceeds a limit, or has most when the node has none left, is evicted. */
  async function measure({ volumes }: PodEnvironment): Promise<void> {
    // Critical pods as well: the memory is that of the user's machine.
    context.pressure.count(storageUser, ending.signal);
    if ((spec.priority ?? 0) >= criticalPriority) return;
    const sourceOf = (volume: string) => volumes.get(volume)?.source;
    const message = await exceededLimit(spec.volumes ?? [], sourceOf, { clock, signal: ending.signal });
    if (message !== undefined) evictBecause(message);
  }

  function evictBecause(message: string): void {
    if (evicted !== undefined) return;
    evicted = message;
    void context.event(pod, { type: 'Warning', reason: 'Evicted', message });
    wake();
  }

  function remeasure(): void {
    measured = undefined;
    wake();
  }

  async function evict(): Promise<void> {
    await containers.stopAll(evictionGrace);
    if (await report(endPod(records))) await environment.remove();
    else wakeAt(clock.now() + retryDelay);
  }

  function reportedProblem(): string | undefined {
    return reporter.reported?.containerStatuses?.[0]?.state?.waiting?.message;
  }

  /** Starts a container if it is ready to start; returns when to retry otherwise. */
  async function start(container: Container, ready: PodEnvironment): Promise<number> {
    const found = images.get(container.image ?? '');
    try {
      if (found.state === 'present') await containers.start(container, found.image, ready);
      else if (found.state === 'failed') setWaiting(container, found.waiting);
      return found.state === 'failed' ? found.retryAt : Infinity;
    } catch (error) {
      const known = error instanceof ContainerConfigError;
      const message = (error as Error).message;
      if (!known) log.warn(`container ${container.name} cannot be started`, { error });
      setWaiting(container, { reason: known ? 'CreateContainerConfigError' : 'CreateContainerError', message });
      return clock.now() + retryDelay;
    }
  }

  function setWaiting({ name }: Container, waiting: NonNullable<ContainerRecord['waiting']>): void {
    const record = records.get(name);
    if (!record || isDeepStrictEqual(record.waiting, waiting)) return;
    records.set(name, { ...record, waiting });
    void context.event(pod, { type: 'Warning', reason: 'Failed', message: `${waiting.reason}: ${waiting.message}` });
  }

  function report(planned: PodPlan, problem?: string): Promise<boolean> {
    return reporter.report({ pod, records, plan: planned, address: environment.address, problem, evicted });
  }

  async function end(maxGrace: number): Promise<void> {
    cancelTimer?.();
    ending.abort();
    await containers.stopAll(Math.min(graceOf(pod), maxGrace));
    await syncing;
    // A container may have been starting in the meantime.
    await containers.stopAll(0);
  }

  /** Terminates a deleted pod, and confirms its deletion to the API server. */
  function terminate(): Promise<void> {
    return guarded(confirmDeletion, () => void terminate());
  }

  async function confirmDeletion(): Promise<void> {
    await end(Infinity);
    await report({ start: [], backOff: new Map(), ending: true, finished: true });
    await environment.remove();
    const { uid } = pod.metadata;
    try {
      await client.delete(Pod, refOf(pod), {
        gracePeriodSeconds: 0,
        ...(uid !== undefined && { preconditions: { uid } }),
      });
    } catch (error) {
      if (!isApiError(error, 'NotFound', 'Conflict')) throw error;
    }
  }

  wake();
  const known = syncing;
  return {
    statusReported: known,
    update(next) {
      pod = next;
      environment.update(next);
      const { ephemeralContainers = [] } = specOf(next);
      for (const each of ephemeralContainers) if (!records.has(each.name)) records.set(each.name, newRecord(each));
      if (next.metadata.deletionTimestamp !== undefined) stopping ??= terminate();
      else wake();
    },
    end(maxGrace) {
      stopping ??= Promise.resolve();
      return end(maxGrace);
    },
    async remove() {
      stopping ??= Promise.resolve();
      await end(0);
      // A termination with a longer grace period also completes now.
      await stopping;
      await environment.remove();
      await rm(logsFolder(context.logsDir, bound), { recursive: true, force: true });
    },
    log(name, previous) {
      const run = loggedRun(reporter.reported, { pod: pod.metadata.name, container: name, previous });
      return typeof run === 'number' ? containers.log(name, run) : run;
    },
    running: (name) => containers.running(name),
    get networkNamespace() {
      return environment.networkNamespace;
    },
  };
}
