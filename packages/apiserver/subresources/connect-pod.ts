// SPDX-License-Identifier: Apache-2.0
import type { Pod } from '@forge/kube/kinds/builtin.ts';
import { requestKubelet } from '../kubelet/request-kubelet.ts';
import { createAccessRequest } from '../messages/access-request.ts';
import { booleanOf } from '../messages/query-values.ts';
import type { ServerResponse } from '../messages/server-request.ts';
import { badRequest, errorWithoutReason, forbidden } from '../messages/status-errors.ts';
import type { ResourceRequest } from '../request/resource-request.ts';
import type { ServerContext } from '../request/server-context.ts';
import { storedObject } from '../verbs/read.ts';
import { admitConnection } from '../webhooks/admit-connection.ts';
import { kubeletAddress } from './kubelet-address.ts';
import { podContainer } from './pod-container.ts';

/** Headers of protocol negotiation, which are forwarded; all others are not. */
const negotiationHeaders = /^(?:connection|upgrade|user-agent|sec-websocket-.*|x-stream-protocol-version)$/;

/** Handles pods/exec, attach and portforward by proxying to the node's kubelet. */
export async function connectPod(server: ServerContext, request: ResourceRequest): Promise<ServerResponse> {
  const { method, headers, signal } = request;
  await admitConnection(server, request);
  checkMayCreate(server, request);
  const pod = storedObject(server, request).value as Pod;
  const path = kubeletPath(pod, request);
  const nodeName = pod.spec?.nodeName ?? '';
  if (nodeName === '') throw badRequest(`pod ${pod.metadata.name} does not have a host assigned`);
  const address = kubeletAddress(server, request, nodeName);
  if (!/\bupgrade\b/i.test(headers['connection'] ?? '')) throw badRequest('Upgrade request required');

  const forwarded = Object.fromEntries(Object.entries(headers).filter(([name]) => negotiationHeaders.test(name)));
  const { response, connection } = await requestKubelet(server.nodes, address, {
    method,
    path,
    headers: forwarded,
    signal,
  }).catch((error: Error) => {
    throw errorWithoutReason(`error dialing backend: ${error.message}`);
  });
  if (connection !== undefined) {
    const agreed = Object.entries(response.headers).filter(([name]) => negotiationHeaders.test(name));
    return { status: 101, bytes: connection, contentType: '', headers: Object.fromEntries(agreed) as Headers };
  }
  const status = response.statusCode ?? 0;
  if (status < 400) {
    response.destroy();
    throw errorWithoutReason(`invalid upgrade response: status code ${status}`);
  }
  return { status, text: Buffer.concat(await response.toArray()).toString() };
}

type Headers = Record<string, string>;

/** WebSockets are requested by GET, but running a command needs the create permission. */
function checkMayCreate({ authorizer }: ServerContext, request: ResourceRequest): void {
  const { allowed, reason } = authorizer(request.user, createAccessRequest(request));
  if (!allowed) throw forbidden(request.resource.kind, request.name, reason);
}

/** Stream names of the API and of the kubelet. */
const streams = { stdin: 'input', stdout: 'output', stderr: 'error', tty: 'tty' };

function kubeletPath(pod: Pod, { namespace, name, subresource, query, search }: ResourceRequest): string {
  if (subresource === 'portforward') return `/portForward/${namespace}/${name}`;
  const container = podContainer(pod, query['container']);
  const command = new URLSearchParams(search).getAll('command');
  const parameters = new URLSearchParams(command.map((word): [string, string] => ['command', word]));
  for (const [ours, theirs] of Object.entries(streams))
    if (booleanOf(query[ours]) === true) parameters.set(theirs, '1');
  return `/${subresource}/${namespace}/${name}/${container}?${parameters.toString()}`;
}
