// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import type { Client } from '@forge/kube/client/client.ts';
import {
  CronJob,
  DaemonSet,
  Deployment,
  EndpointSlice,
  Job,
  Namespace,
  Node,
  Pod,
  ReplicaSet,
  Service,
  StatefulSet,
} from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { servedServer } from '../test/served-server.ts';
import { startControllerManager } from './reference/controller-manager.ts';

const namespace = 'proof';
const labels = { app: 'a' };
const spec = { containers: [{ name: 'main', image: 'example:1' }] };
// There is no scheduler, and endpoints need nodes.
const template = { metadata: { labels }, spec: { ...spec, nodeName: 'node-a' } };
const jobTemplate = { spec: { template: { spec: { ...spec, restartPolicy: 'Never' } } } };
const metadata = { name: 'a', namespace };

/**
 * Runs a real kube-controller-manager against the embedded server, with all controllers; throws when it logs errors
 * about discovery, lists or watches, or when a controller does not work.
 */
export async function checkControllers(binaries: string, log: (line: string) => void): Promise<void> {
  await using served = await servedServer();
  const manager = await startControllerManager(binaries, served.folder, served.kubeconfig);
  try {
    await checkWork(served.client, () => manager.ended());
    assert.deepEqual(manager.apiErrors, [], 'kube-controller-manager logged errors about discovery, lists or watches');
  } finally {
    await manager.stop();
  }
  log('kube-controller-manager: runs on the embedded server');
}

async function checkWork(api: Client, ended: () => string | undefined): Promise<void> {
  const until = async (what: string, holds: () => Promise<boolean>): Promise<void> => {
    for (const end = Date.now() + 120_000; !(await holds()); await setTimeout(100)) {
      const why = ended();
      if (why !== undefined) throw new Error(why);
      if (Date.now() > end) throw new Error(`kube-controller-manager: timed out waiting until ${what}`);
    }
  };
  const owned = async <T extends KubeObject>(kind: Kind<T>, owner: string): Promise<T[]> => {
    const { items } = await api.list(kind, { namespace });
    return items.filter(({ metadata: { ownerReferences = [] } }) =>
      ownerReferences.some((each) => each.kind === owner),
    );
  };
  const exists = async <T extends KubeObject>(kind: Kind<T>, owner: string): Promise<boolean> =>
    (await owned(kind, owner)).length > 0;

  await api.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  await api.create(Node, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-a' } });
  const selector = { matchLabels: labels };
  await api.create(Deployment, { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec: { selector, template } });
  const service = { selector: labels, ports: [{ port: 80 }] };
  await api.create(Service, { apiVersion: 'v1', kind: 'Service', metadata, spec: service });
  await api.create(DaemonSet, {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata,
    spec: { selector: { matchLabels: { app: 'd' } }, template: { metadata: { labels: { app: 'd' } }, spec } },
  });
  await api.create(StatefulSet, {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata,
    spec: {
      serviceName: 'a',
      selector: { matchLabels: { app: 's' } },
      template: { metadata: { labels: { app: 's' } }, spec },
    },
  });
  await api.create(Job, { apiVersion: 'batch/v1', kind: 'Job', metadata, spec: jobTemplate.spec });
  const every = { schedule: '* * * * *', jobTemplate };
  await api.create(CronJob, { apiVersion: 'batch/v1', kind: 'CronJob', metadata, spec: every });

  await until('a Deployment has a ReplicaSet', () => exists(ReplicaSet, 'Deployment'));
  await until('a ReplicaSet has a pod', () => exists(Pod, 'ReplicaSet'));
  await until('a DaemonSet has a pod', () => exists(Pod, 'DaemonSet'));
  await until('a StatefulSet has a pod', () => exists(Pod, 'StatefulSet'));
  await until('a Job has a pod', () => exists(Pod, 'Job'));

  const [pod] = await owned(Pod, 'ReplicaSet');
  assert.ok(pod !== undefined);
  const status = { phase: 'Running', podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.1' }], conditions: [ready] };
  await api.patch(Pod, pod.metadata, 'merge', { status }, { subresource: 'status' });
  await until('a Deployment counts its ready pods', async () => {
    return (await api.get(Deployment, metadata)).status?.availableReplicas === 1;
  });
  await until('a Service has endpoints', async () => {
    const slices = await owned(EndpointSlice, 'Service');
    return slices.some(({ endpoints }) => JSON.stringify(endpoints).includes('"10.0.0.1"'));
  });

  await api.delete(Deployment, metadata, { propagation: 'Background' });
  await until('the dependents of a deleted Deployment are deleted', async () => {
    // There is no kubelet to terminate the pods.
    const pods = await owned(Pod, 'ReplicaSet');
    const areTerminating = pods.every((each) => each.metadata.deletionTimestamp !== undefined);
    return areTerminating && !(await exists(ReplicaSet, 'Deployment'));
  });
  await until('a CronJob has a Job', () => exists(Job, 'CronJob'));
  await api.delete(Namespace, { name: namespace });
  const { items } = await api.list(Pod, { namespace });
  for (const { metadata: each } of items) await api.delete(Pod, each, { gracePeriodSeconds: 0 }).catch(() => {});
  await until(
    'a deleted namespace is gone',
    async () => (await api.find(Namespace, { name: namespace })) === undefined,
  );
}

const ready = { type: 'Ready', status: 'True', lastTransitionTime: '2020-01-01T00:00:00Z' };
