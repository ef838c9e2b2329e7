// SPDX-License-Identifier: Apache-2.0
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '@forge/kube/client/client.ts';
import type { Container } from '@forge/kube/generated/types.ts';
import { Namespace, type Pod } from '@forge/kube/kinds/builtin.ts';
import type { AssembledImage } from '../../images/image-store.ts';
import { specOf } from '../../objects/pod-spec.ts';
import type { RunningContainer } from '../containers/container-runtime.ts';
import { containerSpec } from '../containers/container-spec.ts';
import { removeLog, type ContainerLog } from '../logs/container-log.ts';
import { folderIn } from '../mounts/folder-in.ts';
import { checkProbe } from '../probes/check-probe.ts';
import { runHook } from '../probes/run-hook.ts';
import { runProbes } from '../probes/run-probes.ts';
import { stopContainer } from '../probes/stop-container.ts';
import { containerStorage } from '../volumes/storage-sizes.ts';
import { containerExit, timeOf } from './container-exit.ts';
import { afterExit, afterStart, newRecord, nextAttempt, type ContainerRecord } from './container-record.ts';
import { logsFolder } from './logs-folder.ts';
import type { PodContext } from './pod-context.ts';
import type { PodEnvironment } from './pod-environment.ts';
import { isSidecar } from './pod-plan.ts';

/** The maximum timer value, used for no time limit. */
const noTimeout = 2 ** 31 - 1;

interface PodContainersOptions {
  pod: Pod;
  /** Updated in place. */
  records: Map<string, ContainerRecord>;
  environment: { readonly folder: string };
  context: PodContext;
  changed: () => void;
}

interface StartedContainer {
  container: Container;
  running: RunningContainer;
  address: string;
  /** Resolves when the exit is recorded. */
  recorded: Promise<void>;
  stopping?: Promise<void>;
}

/** Runs a pod's containers and their probes, and records their state. */
export function podContainers({ pod, records, environment, context, changed }: PodContainersOptions) {
  const { clock, random, runtime, event } = context;
  const started = new Map<string, StartedContainer>();
  const logs = new Map<string, ContainerLog>();
  const logFile = (container: string, attempt: number) =>
    join(folderIn(logsFolder(context.logsDir, pod), container), `${attempt}.log`);

  function change(name: string, next: (record: ContainerRecord) => ContainerRecord): void {
    const record = records.get(name);
    if (record) records.set(name, next(record));
    changed();
  }

  async function start(container: Container, image: AssembledImage, ready: PodEnvironment): Promise<void> {
    const { name } = container;
    const { address, namespace: networkNamespace } = ready.network;
    const message = folderIn(join(environment.folder, 'messages'), name);
    await mkdir(join(environment.folder, 'messages'), { recursive: true });
    await writeFile(message, '');
    const target = container.terminationMessagePath ?? '/dev/termination-log';
    const files = [...ready.files, { source: message, target, readOnly: false }];
    const services = context.services();
    const namespace = () => namespaceOf(context.client, pod);
    const spec = await containerSpec({ ...ready, namespace, container, image, podIP: address, files, services });
    const id = random.uuid().replaceAll('-', '');
    const attempt = nextAttempt(records.get(name) ?? newRecord(container));
    const logPath = logFile(name, attempt);
    const running = await runtime.start({
      id,
      image: image.root,
      networkNamespace,
      logPath,
      spec,
      storage: containerStorage(specOf(ready.pod), name),
      resources: container.resources,
      inputOptions: container,
    });
    logs.set(name, running.log);
    // Only the logs of the current and the previous run are kept.
    await removeLog(logFile(name, attempt - 2));

    const probing = new AbortController();
    const recordEnd = async () => {
      const end = await running.ended;
      probing.abort();
      started.delete(name);
      const exit = await containerExit(container, running, end, message);
      if (!end.ran)
        void event(pod, { type: 'Warning', reason: 'Failed', message: `Error: ${exit.message ?? ''}`.trim() });
      change(name, (record) => afterExit(record, exit));
    };
    started.set(name, { container, running, address, recorded: recordEnd() });
    const imageID = `${image.reference}@${image.digest}`;
    change(name, (record) => afterStart(record, id, imageID, timeOf(running.startedAt)));
    void event(pod, { type: 'Normal', reason: 'Started', message: `Started container ${name}` });
    if (await runPostStart(container, running, address)) probe(container, running, address, probing.signal);
  }

  /** Runs the postStart hook, if any; stops the container and returns false when it fails. */
  async function runPostStart(container: Container, running: RunningContainer, address: string): Promise<boolean> {
    const { postStart } = container.lifecycle ?? {};
    if (!postStart) return true;
    const { name } = container;
    const hook = runHook(postStart, { pod, address, container, running, clock }, noTimeout);
    const early = running.ended.then(() =>
      postStart.exec ? 'the container exited before its hook completed' : undefined,
    );
    const problem = await Promise.race([hook, early]);
    if (problem === undefined) return started.has(name);
    // The hook's output may contain secrets: as with the kubelet, it goes to the status and not into an event.
    void event(pod, { type: 'Warning', reason: 'FailedPostStartHook', message: 'PostStartHook failed' });
    await stop(name, graceOf(pod));
    change(name, (record) => ({ ...record, waiting: { reason: 'PostStartHookError', message: problem } }));
    return false;
  }

  function probe(container: Container, running: RunningContainer, address: string, signal: AbortSignal): void {
    const { name } = container;
    const check = (one: Parameters<typeof checkProbe>[0]) => checkProbe(one, { address, container, running });
    const listener = {
      started: () => change(name, (record) => ({ ...record, started: true })),
      ready(ready: boolean) {
        if (records.get(name)?.ready !== ready) change(name, (record) => ({ ...record, ready }));
      },
      unhealthy: (message: string) => void event(pod, { type: 'Warning', reason: 'Unhealthy', message }),
      failed(which: 'startup' | 'liveness') {
        void event(pod, { type: 'Normal', reason: 'Killing', message: killMessage(pod, name, which) });
        void stop(name, graceOf(pod));
      },
    };
    void runProbes(container, check, listener, clock, signal);
  }

  async function stop(name: string, grace: number, turn = Promise.resolve<unknown>(undefined)): Promise<void> {
    const found = started.get(name);
    if (!found) return;
    const { container, running, address, recorded } = found;
    if (grace === 0) running.signal('SIGKILL');
    found.stopping ??= stopContainer(container, running, { pod, address, grace, clock, after: turn });
    await found.stopping;
    await recorded;
  }

  return {
    start,
    /**
     * Stops all containers, then the sidecars in reverse order; without grace, all at once, including those already
     * stopping.
     */
    async stopAll(grace: number): Promise<void> {
      const sidecars = (pod.spec?.initContainers ?? [])
        .filter(isSidecar)
        .flatMap(({ name }) => started.get(name) ?? []);
      const others = [...started.values()].filter(({ container }) => !isSidecar(container));
      const stops = others.map(({ container }) => stop(container.name, grace));
      let turn: Promise<unknown> = Promise.all(others.map(({ running }) => running.ended));
      for (const { container, running } of sidecars.toReversed()) {
        stops.push(stop(container.name, grace, turn));
        turn = Promise.all([turn, running.ended]);
      }
      await Promise.all(stops);
    },
    /** What the running containers have written to their writable layers and /dev/shm, in bytes. */
    async usedStorage(): Promise<number> {
      const used = await Promise.all([...started.values()].map(({ running }) => running.usedStorage()));
      return used.reduce((sum, bytes) => sum + bytes, 0);
    },
    running: (name: string): RunningContainer | undefined => started.get(name)?.running,
    /** The log of this run of the container, counted from 0; also from before a restart of the node. */
    log(name: string, run: number): ContainerLog {
      const path = logFile(name, run);
      const current = logs.get(name);
      return current?.path === path ? current : { path, closed: true, grown: () => Promise.resolve() };
    },
  };
}

/** The pod's namespace, read by a list, which nodes have permission for because of NetworkPolicies. */
async function namespaceOf(client: Client, { metadata }: Pod): Promise<Namespace | undefined> {
  const { items } = await client.list(Namespace, { fieldSelector: `metadata.name=${metadata.namespace}` });
  return items[0];
}

/** Why a container is stopped, in the words of the kubelet. */
function killMessage({ spec }: Pod, name: string, which: 'startup' | 'liveness'): string {
  if (spec?.initContainers?.some((one) => one.name === name)) return `Init container ${name} failed ${which} probe`;
  return `Container ${name} failed ${which} probe${spec?.restartPolicy === 'Never' ? '' : ', will be restarted'}`;
}

/** The termination grace period, in milliseconds. */
export function graceOf({ metadata, spec }: Pod): number {
  return (metadata.deletionGracePeriodSeconds ?? spec?.terminationGracePeriodSeconds ?? 30) * 1000;
}
