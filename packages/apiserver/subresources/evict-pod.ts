// SPDX-License-Identifier: Apache-2.0
import { Eviction, type Pod, type PodDisruptionBudget } from '@forge/kube/kinds/builtin.ts';
import { timestamp } from '@forge/runtime/environment/clock.ts';
import { isReady } from '@forge/runtime/objects/ready-condition.ts';
import { restrictNode } from '../admission/node-restriction/restrict-node.ts';
import { jsonPayload } from '../messages/payload.ts';
import type { ServerResponse } from '../messages/server-request.ts';
import { badRequest } from '../messages/status-errors.ts';
import { checkDeletePreconditions } from '../pipeline/check-preconditions.ts';
import { deleteOptionsOf, type DeleteOptions } from '../request/delete-options.ts';
import type { ResourceRequest } from '../request/resource-request.ts';
import type { ServerContext } from '../request/server-context.ts';
import { isDryRun } from '../request/write-options.ts';
import { defineResource } from '../resources/resource.ts';
import { readReview } from '../reviews/read-review.ts';
import { removeImmediately } from '../verbs/delete.ts';
import { storedObject } from '../verbs/read.ts';
import { budgetOf, allowsUnreadyEviction, countDisruption } from './disruption-budget.ts';

/** The Eviction kind, served only as a subresource of pods. */
const evictions = defineResource(Eviction, { custom: false, strategy: {}, columns: [] });

/** Handles pods/eviction: deletes the pod unless its disruption budget forbids it. */
export async function evictPod(server: ServerContext, request: ResourceRequest): Promise<ServerResponse> {
  const eviction = await readReview<Eviction>(server, request, evictions);
  const { metadata, deleteOptions = {} } = eviction;
  restrictNode(request.user, { ...request, operation: 'CREATE', object: eviction, before: undefined }, server);
  if (metadata.name !== request.name) throw badRequest('name in URL does not match name in Eviction object');
  const sent = await deleteOptionsOf({ ...request, headers: {}, body: deleteOptions });
  const options = { ...sent, dryRun: sent.dryRun || isDryRun(request.query) };
  const pod = storedObject(server, request).value as Pod;
  const stored = isExemptFromBudget(pod) ? undefined : budgetOf(server, pod);
  const budget = stored?.value as PodDisruptionBudget | undefined;
  if (stored !== undefined && budget !== undefined && (isReady(pod) || !allowsUnreadyEviction(budget))) {
    countDisruption(server, stored, pod.metadata.name, options.dryRun);
  }
  remove(server, request, options);
  await server.store.durable();
  const done = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };
  return { status: 201, payload: jsonPayload(done) };
}

/** Sets the DisruptionTarget condition and deletes the pod. */
function remove(server: ServerContext, request: ResourceRequest, options: DeleteOptions): void {
  const { resource: pods } = request;
  const stored = storedObject(server, request);
  checkDeletePreconditions(pods, stored.value, options);
  const marked = options.dryRun
    ? stored
    : server.store.commit(stored.key, stored, withTarget(stored.value as Pod, timestamp(server.clock)));
  removeImmediately(server, pods, marked, options);
}

function withTarget(pod: Pod, time: string): Pod {
  const type = 'DisruptionTarget';
  const { conditions = [], ...status } = pod.status ?? {};
  const before = conditions.find((each) => each.type === type);
  const condition = {
    type,
    status: 'True',
    lastProbeTime: null as unknown as string,
    lastTransitionTime: before?.status === 'True' ? (before.lastTransitionTime ?? time) : time,
    reason: 'EvictionByEvictionAPI',
    message: 'Eviction API: evicting',
  };
  return { ...pod, status: { ...status, conditions: [...conditions.filter((each) => each !== before), condition] } };
}

/** Whether the pod does not count for the budget: pending, finished or terminating. */
function isExemptFromBudget({ status, metadata }: Pod): boolean {
  return ['Succeeded', 'Failed', 'Pending'].includes(status?.phase ?? '') || metadata.deletionTimestamp !== undefined;
}
