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
import { recordsOf, type ContainerRecord } from './container-record.ts';
import { graceOf, logsFolder, podContainers } from './pod-containers.ts';
import type { PodContext } from './pod-context.ts';
import { podEnvironment, type PodEnvironment } from './pod-environment.ts';
import { podImages } from './pod-images.ts';
import { endPod, planPod, type PodPlan } from './pod-plan.ts';
import { statusReporter } from './status-reporter.ts';

/** What failed for another reason than a missing object is tried again after this time. */
const retryDelay = 5000;

/** Containers of an evicted pod get this time to end, as the kubelet has it. */
const evictionGrace = 1000;

/** Pods that the cluster needs are not evicted. */
const criticalPriority = 2_000_000_000;

/** Keeps one pod as its spec wants it, and its status true. */
export interface PodWorker {
  /** Settles when the pod's status has been corrected to what is true now. */
  readonly statusReported: Promise<void>;
  /** Takes over a new state of the same pod. */
  update(pod: Pod): void;
  /** Ends the containers within at most so many milliseconds each, and tells nobody: the node itself ends. */
  end(longestGrace: number): Promise<void>;
  /** Lets go of everything at once: the pod is no more. */
  remove(): Promise<void>;
  log(container: string, previous: boolean): ContainerLog | undefined;
  /** The container as long as it lives. */
  running(container: string): RunningContainer | undefined;
  /** The file that stands for the pod's network namespace. */
  readonly networkNamespace: string | undefined;
}

/** Starts to look after a pod that was bound to this node. */
export function podWorker(bound: Pod, context: PodContext): PodWorker {
  const { clock, client } = context;
  const log = context.log.with({ pod: `${bound.metadata.namespace}/${bound.metadata.name}` });
  const spec = specOf(bound);
  const records = recordsOf(bound);
  const images = podImages(context.ensureImage, clock, wake);
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
  const ending = new AbortController();

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

  /** A fault in one pod must not take the others along: it is logged, and tried again. */
  async function guarded(work: () => Promise<void>, retry: () => void): Promise<void> {
    try {
      await work();
    } catch (error) {
      log.error('something failed that should not, trying again', { error });
      clock.after(retryDelay, retry);
    }
  }

  function wakeAt(time: number): void {
    cancelTimer?.();
    cancelTimer = time === Infinity ? undefined : clock.after(Math.max(0, time - clock.now()), wake);
  }

  /** One pass: see what is to be done, do it, tell. */
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
      const due = planPod(spec, records, clock.now()).start;
      const pulled = due.map(({ image = '' }) => images.get(image).state !== 'pulling');
      // In their order: who comes later waits for an image as the one before does, but images are pulled side by side.
      for (const container of due.slice(0, pulled.includes(false) ? pulled.indexOf(false) : undefined)) {
        // A hook may have taken its time, and the pod been deleted meanwhile.
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
    const plan = planPod(spec, records, clock.now());
    for (const { until } of plan.backOff.values()) wakeTime = Math.min(wakeTime, until);
    wakeAt((await report(plan, problem)) ? wakeTime : Math.min(wakeTime, clock.now() + retryDelay));
    if (plan.finished) await environment.remove();
    else if (plan.ending) await containers.stopAll(graceOf(pod));
  }

  /** Measures volumes from now on; a pod that fills one beyond its limit is evicted. */
  async function measure({ volumes }: PodEnvironment): Promise<void> {
    if ((spec.priority ?? 0) >= criticalPriority) return;
    const sourceOf = (volume: string) => volumes.get(volume)?.source;
    evicted = await exceededLimit(spec.volumes ?? [], sourceOf, { clock, signal: ending.signal });
    if (evicted === undefined) return;
    void context.event(pod, { type: 'Warning', reason: 'Evicted', message: evicted });
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

  /** Starts a container if everything for it is there, and tells when to look again if it is not. */
  async function start(container: Container, ready: PodEnvironment): Promise<number> {
    const found = images.get(container.image ?? '');
    try {
      if (found.state === 'there') await containers.start(container, found.image, ready);
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

  function report(plan: PodPlan, problem?: string): Promise<boolean> {
    return reporter.report({ pod, records, plan, address: environment.address, problem, evicted });
  }

  async function end(longestGrace: number): Promise<void> {
    cancelTimer?.();
    ending.abort();
    await containers.stopAll(Math.min(graceOf(pod), longestGrace));
    await syncing;
    // A container may just have been starting.
    await containers.stopAll(0);
  }

  /** Ends the pod because somebody deleted it, and confirms that nothing of it is left. */
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
      if (next.metadata.deletionTimestamp !== undefined) stopping ??= terminate();
      else wake();
    },
    end(longestGrace) {
      stopping ??= Promise.resolve();
      return end(longestGrace);
    },
    async remove() {
      stopping ??= Promise.resolve();
      await end(0);
      // Whoever has been ending the pod more patiently is done now as well.
      await stopping;
      await environment.remove();
      await rm(logsFolder(context.logsDir, bound), { recursive: true, force: true });
    },
    log: (name, previous) => containers.log(name, previous),
    running: (name) => containers.running(name),
    get networkNamespace() {
      return environment.networkNamespace;
    },
  };
}
