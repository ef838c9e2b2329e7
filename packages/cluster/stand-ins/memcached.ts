// SPDX-License-Identifier: Apache-2.0
import { Deployment, Service } from '@forge/kube/kinds/builtin.ts';
import { jsonEqual } from '@forge/kube/objects/json.ts';
import { refOf, type Condition } from '@forge/kube/objects/object.ts';
import { Memcached } from '@forge/kube/third-party/memcached.ts';
import type { Controller, ReconcileContext } from '@forge/runtime/controller/controller.ts';
import { timestamp } from '@forge/runtime/environment/clock.ts';
import { milliseconds, seconds } from '@forge/runtime/environment/duration.ts';
import { controllerReference } from '@forge/runtime/objects/owner-reference.ts';
import { withCondition } from '../objects/with-condition.ts';
import { ensureChild } from './ensure-child.ts';
import { saveStatus } from './save-status.ts';
import type { StandIn } from './stand-in.ts';
import { writingAs } from './writing-as.ts';

const port = 11_211;

/** Emulates the Memcached operator. */
export function memcachedOperator(): StandIn {
  return {
    name: 'memcached-operator',
    kinds: [Memcached],
    controllers: writingAs('manager', [memcachedController]),
    backoff: { base: milliseconds(5), cap: seconds(1000) },
  };
}

const memcachedController: Controller = {
  name: 'memcached-controller',
  for: Memcached,
  owns: [Deployment, Service],
  async reconcile(ref, context) {
    const memcached = context.cache.get(Memcached, ref);
    if (memcached === undefined || memcached.metadata.deletionTimestamp !== undefined) return undefined;
    const owner = { kind: Memcached, object: memcached };
    await ensureChild(owner, Service, serviceOf(memcached), context);
    const deployment = await ensureChild(owner, Deployment, deploymentOf(memcached), context);
    await update(deployment, memcached, context);
    await report(memcached, context.cache.get(Deployment, ref) ?? deployment, context);
    return undefined;
  },
};

async function update(deployment: Deployment, memcached: Memcached, { client }: ReconcileContext): Promise<void> {
  const wanted = deploymentOf(memcached).spec;
  if (jsonEqual(settingsOf(deployment.spec), settingsOf(wanted))) return;
  await client.patch(Deployment, refOf(deployment), 'strategic', { spec: wanted });
}

/** The fields of a Deployment that a Memcached sets; the API server defaults the others. */
function settingsOf(spec: Deployment['spec']): unknown[] {
  const [container] = spec?.template.spec?.containers ?? [];
  return [spec?.replicas, container?.image, container?.args, container?.resources ?? {}];
}

async function report(memcached: Memcached, deployment: Deployment, context: ReconcileContext): Promise<void> {
  const { name, namespace, generation = 0 } = memcached.metadata;
  const desired = memcached.spec.replicas ?? 1;
  const { readyReplicas = 0, observedGeneration = 0, updatedReplicas = 0 } = deployment.status ?? {};
  const isCurrent = observedGeneration >= (deployment.metadata.generation ?? 0);
  const isReady = isCurrent && desired > 0 && readyReplicas === desired;
  const isComplete = isCurrent && updatedReplicas === desired && readyReplicas === desired;
  const states: [type: string, holds: boolean, yes: string, no: string][] = [
    ['Available', readyReplicas > 0, 'Available', 'Unavailable'],
    ['Progressing', !isComplete, 'Progressing', 'ProgressingComplete'],
    ['Degraded', readyReplicas < desired, 'Degraded', 'NotDegraded'],
    ['Ready', isReady, 'MemcachedReady', 'MemcachedNotReady'],
  ];
  let conditions = memcached.status?.conditions ?? [];
  for (const [type, holds, yes, no] of states) {
    const condition: Condition = {
      type,
      status: holds ? 'True' : 'False',
      reason: holds ? yes : no,
      message: `${readyReplicas}/${desired} replicas are ready`,
      lastTransitionTime: timestamp(context.clock),
      observedGeneration: generation,
    };
    conditions = current(withCondition(conditions, condition), generation);
  }
  const serverList = isReady ? [`${name}.${namespace}:${port}`] : [];
  const status = { ...memcached.status, conditions, readyReplicas, observedGeneration: generation, serverList };
  await saveStatus(Memcached, memcached, status, context);
}

/** The conditions with this generation, also unchanged ones. */
function current(conditions: readonly Condition[], observedGeneration: number): Condition[] {
  return conditions.map((condition) => ({ ...condition, observedGeneration }));
}

function labelsOf({ metadata }: Memcached): Record<string, string> {
  return {
    'app.kubernetes.io/name': 'memcached',
    'app.kubernetes.io/instance': metadata.name,
    'app.kubernetes.io/managed-by': 'memcached-operator',
  };
}

function metadataOf(memcached: Memcached) {
  const { name, namespace } = memcached.metadata;
  return {
    name,
    ...(namespace !== undefined && { namespace }),
    labels: labelsOf(memcached),
    ownerReferences: [controllerReference(memcached)],
  };
}

function serviceOf(memcached: Memcached): Service {
  const ports = [{ name: 'memcached', port, targetPort: 'memcached' }];
  const spec = { clusterIP: 'None', selector: labelsOf(memcached), ports };
  return { apiVersion: 'v1', kind: 'Service', metadata: metadataOf(memcached), spec };
}

function deploymentOf(memcached: Memcached): Deployment {
  const { replicas = 1, image = 'memcached:1.6', resources = {}, memcached: options = {} } = memcached.spec;
  const { maxMemoryMB = 64, maxConnections = 1024, threads = 4, maxItemSize = '1m', verbosity = 0 } = options;
  const limits = ['-m', maxMemoryMB, '-c', maxConnections, '-t', threads, '-I', maxItemSize].map(String);
  const args = [...limits, ...(verbosity > 0 ? [`-${'v'.repeat(verbosity)}`] : []), ...(options.extraArgs ?? [])];
  const labels = labelsOf(memcached);
  const ports = [{ name: 'memcached', containerPort: port }];
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: metadataOf(memcached),
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'memcached', image, args, ports, resources }] } },
    },
  };
}
