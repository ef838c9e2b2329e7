// SPDX-License-Identifier: Apache-2.0
import type { StatefulSetSpec } from '@forge/kube/generated/types.ts';
import type { ControllerRevision, PersistentVolumeClaim, Pod, StatefulSet } from '@forge/kube/kinds/builtin.ts';
import type { OwnerReference } from '@forge/kube/objects/object.ts';
import type { List, Scenario } from '../../controller-case.ts';
import { podSpec, runPod } from '../../kubelet.ts';

/** The labels of all pods. */
export const labels = { app: 'web' };
/** The path of the set of a case. */
export const webSet = 'apps/v1/statefulsets/web';
const revisions = 'apps/v1/controllerrevisions';
const claims = 'persistentvolumeclaims';

/** A template whose container has this image. */
export function template(image: string, spec: object = {}): StatefulSetSpec['template'] {
  return { metadata: { labels }, spec: { ...podSpec, containers: [{ name: 'main', image }], ...spec } };
}

/** An update strategy that updates the pods from this ordinal on. */
export function partition(first: number): NonNullable<StatefulSetSpec['updateStrategy']> {
  return { type: 'RollingUpdate', rollingUpdate: { partition: first } };
}

/** Creates the set of a case. */
export async function createSet(
  scenario: Scenario,
  spec: Partial<StatefulSetSpec> = {},
  metadata: object = {},
): Promise<void> {
  await scenario.post('apps/v1/statefulsets', {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'web', ...metadata },
    spec: { replicas: 3, serviceName: 'web', selector: { matchLabels: labels }, template: template('v1'), ...spec },
  });
}

/** Creates the set of a case, and waits until all of its pods are ready. */
export async function createReadySet(scenario: Scenario, spec: Partial<StatefulSetSpec> = {}): Promise<void> {
  await createSet(scenario, spec);
  const start = spec.ordinals?.start ?? 0;
  const names = Array.from({ length: spec.replicas ?? 3 }, (_, index) => `web-${start + index}`);
  await makeReady(scenario, ...names);
  await scenario.until<StatefulSet>(webSet, ({ status }) => status?.readyReplicas === names.length);
}

/** Changes the spec of the set. */
export async function changeSet(scenario: Scenario, spec: Partial<StatefulSetSpec>): Promise<void> {
  await scenario.patch('merge', webSet, { spec });
}

/** Changes an annotation of a pod, so that the controller looks at its set. */
export async function touchPod(scenario: Scenario, name: string): Promise<void> {
  await scenario.patch('merge', `pods/${name}`, { metadata: { annotations: { touched: 'true' } } });
}

/** Waits until these pods are there and pending, and reports each as running and ready. */
export async function makeReady(scenario: Scenario, ...names: readonly string[]): Promise<void> {
  for (const name of names) {
    await scenario.until<Pod>(`pods/${name}`, ({ status }) => status?.phase === 'Pending');
    await runPod(scenario, name, address(name));
  }
}

/** Reports a running pod as ready or not. */
export async function setReady(scenario: Scenario, name: string, ready: boolean): Promise<void> {
  await runPod(scenario, name, address(name), ready);
}

/** Deletes a pod at once, whatever its grace period. */
export async function killPod(scenario: Scenario, name: string): Promise<void> {
  await scenario.delete(`pods/${name}`, { gracePeriodSeconds: 0 });
}

function address(pod: string): string {
  return `10.0.0.${Number(pod.slice(pod.lastIndexOf('-') + 1)) + 1}`;
}

/** How long nothing may change before the state is recorded, in seconds. */
const calm = 2;
const attempts = 30;

/** Waits until nothing changes any more, and records the pods and the status of the set. */
export async function observeSettled(scenario: Scenario): Promise<void> {
  const images = await settled(scenario);
  await scenario.observe<List<Pod>>('pods', undefined, ({ items }) => items.toSorted(byName).map(podState(images)));
  await scenario.observe<StatefulSet>(webSet, undefined, ({ status }) => ({
    ...status,
    currentRevision: images.get(status?.currentRevision ?? ''),
    updateRevision: images.get(status?.updateRevision ?? ''),
  }));
}

/** Records the revisions, oldest first. */
export async function observeRevisions(scenario: Scenario): Promise<void> {
  await settled(scenario);
  await scenario.observe<List<ControllerRevision>>(revisions, undefined, ({ items }) =>
    items
      .toSorted((a, b) => a.revision - b.revision)
      .map((item) => ({ revision: item.revision, image: imageOf(item), owners: ownersOf(item.metadata) })),
  );
}

/** Records the claims. */
export async function observeClaims(scenario: Scenario): Promise<void> {
  await settled(scenario);
  await scenario.observe<List<PersistentVolumeClaim>>(claims, undefined, ({ items }) =>
    items.toSorted(byName).map(({ metadata }) => ({
      claim: metadata.name,
      uid: metadata.uid,
      owners: ownersOf(metadata),
      terminating: metadata.deletionTimestamp !== undefined,
    })),
  );
}

/** Waits until nothing changes any more; returns the image of each revision. */
async function settled(scenario: Scenario): Promise<Map<string, string>> {
  let before = '';
  for (let attempt = 0; attempt < attempts; attempt++) {
    const objects = await Promise.all(
      [webSet, 'pods', claims, revisions].map((path) => scenario.until<List<unknown>>(path, () => true)),
    );
    const { items } = objects[3] as List<ControllerRevision>;
    const now = JSON.stringify(objects.map((each) => (Array.isArray(each.items) ? each.items : each)));
    if (now === before) return new Map(items.map((item) => [item.metadata.name, imageOf(item)]));
    before = now;
    await scenario.pass(calm);
  }
  throw new Error(`the set of ${scenario.namespace} does not settle`);
}

function imageOf({ data }: ControllerRevision): string {
  const { spec } = data as { spec?: { template?: StatefulSetSpec['template'] } };
  return spec?.template?.spec?.containers[0]?.image ?? 'none';
}

function podState(images: ReadonlyMap<string, string>): (pod: Pod) => object {
  return ({ metadata, spec, status }) => ({
    pod: metadata.name,
    image: spec?.containers[0]?.image,
    revision: images.get(metadata.labels?.['controller-revision-hash'] ?? ''),
    phase: status?.phase,
    ready: status?.conditions?.find(({ type }) => type === 'Ready')?.status,
    terminating: metadata.deletionTimestamp !== undefined,
    owners: metadata.ownerReferences?.map(({ kind, name }) => `${kind}/${name}`),
  });
}

function ownersOf({ ownerReferences = [] }: { ownerReferences?: OwnerReference[] }): object[] {
  return ownerReferences.map(({ kind, name, uid, controller, blockOwnerDeletion }) => {
    return { kind, name, uid, controller, blockOwnerDeletion };
  });
}

function byName<T extends { metadata: { name: string } }>(a: T, b: T): number {
  return a.metadata.name < b.metadata.name ? -1 : 1;
}
