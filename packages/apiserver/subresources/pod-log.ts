// SPDX-License-Identifier: Apache-2.0
import type { Pod } from '@forge/kube/kinds/builtin.ts';
import { requestKubelet } from '../kubelet/request-kubelet.ts';
import type { ServerResponse } from '../messages/server-request.ts';
import { badRequest, errorWithoutReason, internalError, statusError } from '../messages/status-errors.ts';
import type { ResourceRequest } from '../request/resource-request.ts';
import type { ServerContext } from '../request/server-context.ts';
import { storedObject } from '../verbs/read.ts';
import { kubeletAddress } from './kubelet-address.ts';
import { logParameters } from './log-parameters.ts';
import { podContainer } from './pod-container.ts';

/** Handles pods/log by proxying to the node's kubelet. */
export async function podLog(server: ServerContext, request: ResourceRequest): Promise<ServerResponse> {
  const { name, namespace, query, signal } = request;
  const parameters = logParameters(query, name);
  const pod = storedObject(server, request).value as Pod;
  const container = podContainer(pod, query['container']);
  const nodeName = pod.spec?.nodeName ?? '';
  if (nodeName === '') return { status: 204, bytes: nothing(), contentType: '' };
  const address = kubeletAddress(server, request, nodeName);
  const search = parameters === '' ? '' : `?${parameters}`;
  const path = `/containerLogs/${namespace}/${name}/${container}${search}`;
  const { response } = await requestKubelet(server.nodes, address, { method: 'GET', path, signal }).catch(
    (error: Error) => {
      throw errorWithoutReason(`Get "https://${address.host}:${address.port}${path}": ${error.message}`);
    },
  );
  if (response.statusCode === 200) return { status: 200, bytes: response, contentType: 'text/plain' };
  const text = Buffer.concat(await response.toArray()).toString();
  if (response.statusCode === 400) throw badRequest(text);
  if (response.statusCode !== 404) throw internalError(text);
  const message = `the server could not find the requested resource ( pods/log ${name})`;
  throw statusError(404, 'NotFound', message, { name, kind: 'pods/log' });
}

async function* nothing(): AsyncGenerator<never> {}
