// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import type { Job, Pod } from '@forge/kube/kinds/builtin.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { eventually } from '@forge/testing/programs/eventually.ts';
import { kubectl } from './forge-process.ts';

/** The pods and Jobs of a cluster. */
export interface Snapshot {
  pods: readonly Pod[];
  jobs: readonly Job[];
}

/** All pods and Jobs, except temporary ones: of CronJobs, or with a time to live. */
export async function snapshot(dir: string): Promise<Snapshot> {
  const [jobs, pods] = await Promise.all([listed<Job>(dir, 'jobs'), listed<Pod>(dir, 'pods')]);
  const permanentJobs = jobs.filter(({ metadata, spec }) => {
    const isScheduled = metadata.ownerReferences?.some(({ kind }) => kind === 'CronJob') ?? false;
    return !isScheduled && spec?.ttlSecondsAfterFinished === undefined;
  });
  const uids = new Set(permanentJobs.map(({ metadata }) => metadata.uid));
  const isPermanent = ({ metadata }: Pod) =>
    metadata.ownerReferences?.every(({ kind, uid }) => kind !== 'Job' || uids.has(uid)) ?? true;
  return { jobs: permanentJobs, pods: pods.filter(isPermanent) };
}

/** Waits until the pods of an earlier snapshot run again, and compares pods and Jobs with it. */
export async function assertRestored(
  dir: string,
  earlier: Snapshot,
  mayBeNew: (pod: Pod) => boolean = () => false,
): Promise<Snapshot> {
  const running = earlier.pods.filter((pod) => !hasEnded(pod));
  let now = earlier;
  await eventually('all pods run again', async () => {
    now = await snapshot(dir);
    return running.every((pod) => {
      const restored = same(now.pods, pod);
      return restored === undefined || (isReady(restored) && restartsOf(restored) > restartsOf(pod));
    });
  });
  for (const pod of earlier.pods) {
    const restored = same(now.pods, pod) ?? assert.fail(`${idOf(pod)} is missing`);
    if (hasEnded(pod)) assert.deepEqual(restored.status, pod.status, `${idOf(pod)} had ended`);
    else if (!isProbed(pod)) assert.equal(restartsOf(restored), restartsOf(pod) + containersOf(pod), idOf(pod));
  }
  const added = now.pods.filter((pod) => same(earlier.pods, pod) === undefined && !mayBeNew(pod));
  assert.deepEqual(added.map(idOf), []);
  assert.deepEqual(now.jobs.map(idOf), earlier.jobs.map(idOf));
  return now;
}

async function listed<T extends KubeObject>(dir: string, resource: string): Promise<T[]> {
  const { items } = JSON.parse(await kubectl(dir, 'get', resource, '-A', '-o', 'json')) as { items: T[] };
  return items;
}

const idOf = ({ kind, metadata }: KubeObject) => `${kind} ${metadata.namespace}/${metadata.name} ${metadata.uid}`;
const same = (pods: readonly Pod[], pod: Pod) => pods.find((each) => idOf(each) === idOf(pod));

function hasEnded({ status }: Pod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}

function isReady({ status }: Pod): boolean {
  return (status?.containerStatuses ?? []).every(({ ready }) => ready);
}

const containersOf = ({ spec }: Pod) => spec?.containers.length ?? 0;

/** Whether probes may restart its containers at any time, on a busy machine. */
function isProbed({ spec }: Pod): boolean {
  return spec?.containers.some(({ livenessProbe, startupProbe }) => livenessProbe ?? startupProbe) ?? false;
}

function restartsOf({ status }: Pod): number {
  return (status?.containerStatuses ?? []).reduce((sum, { restartCount }) => sum + restartCount, 0);
}
