// SPDX-License-Identifier: Apache-2.0
import type { Pod } from '@forge/kube/kinds/builtin.ts';
import { timestamp } from '@forge/runtime/environment/clock.ts';
import { restrictNode } from '../admission/node-restriction/restrict-node.ts';
import { decodeBody } from '../encoding/decode-body.ts';
import { jsonPayload } from '../messages/payload.ts';
import type { ServerResponse } from '../messages/server-request.ts';
import { badRequest, errorWithoutReason, statusError } from '../messages/status-errors.ts';
import type { ResourceRequest } from '../request/resource-request.ts';
import type { ServerContext } from '../request/server-context.ts';
import { checkWriteOptions, isDryRun } from '../request/write-options.ts';
import { storedObject } from '../verbs/read.ts';
import { admitBinding } from '../webhooks/admit-binding.ts';

interface Binding {
  metadata?: { name?: string };
  target?: { name?: string };
}

/** Handles pods/binding: assigns an unscheduled pod to a node. */
export async function bindPod(server: ServerContext, request: ResourceRequest): Promise<ServerResponse> {
  const { name, query } = request;
  checkWriteOptions('create', query);
  const { value } = await decodeBody(request);
  const { metadata, target = {} } = (value as Binding | undefined) ?? {};
  if (metadata?.name !== name) throw badRequest('name in URL does not match name in Binding object');
  const nodeName = target.name ?? '';
  if (nodeName === '') throw errorWithoutReason('target.name: Required value');
  restrictNode(request.user, { ...request, operation: 'CREATE', object: undefined, before: undefined }, server);
  await admitBinding(server, request, target);
  const stored = storedObject(server, request);
  const pod = stored.value as Pod;
  const bindingConflict = (why: string) =>
    statusError(409, 'Conflict', `Operation cannot be fulfilled on pods/binding "${name}": ${why}`, {
      name,
      kind: 'pods/binding',
    });
  if (pod.metadata.deletionTimestamp !== undefined)
    throw bindingConflict(`pod ${name} is being deleted, cannot be assigned to a host`);
  const current = pod.spec?.nodeName ?? '';
  if (current !== '') throw bindingConflict(`pod ${name} is already assigned to node "${current}"`);
  const scheduled = { type: 'PodScheduled', status: 'True', lastTransitionTime: timestamp(server.clock) };
  const conditions = (pod.status?.conditions ?? []).filter(({ type }) => type !== 'PodScheduled');
  const bound = {
    ...pod,
    spec: { ...pod.spec, nodeName },
    status: { ...pod.status, conditions: [...conditions, scheduled] },
  };
  if (!isDryRun(query)) server.store.commit(stored.key, stored, bound);
  await server.store.durable();
  return { status: 201, payload: jsonPayload({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' }) };
}
