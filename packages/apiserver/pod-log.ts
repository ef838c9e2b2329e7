// SPDX-License-Identifier: Apache-2.0
import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect as tlsConnect } from 'node:tls';
import type { Pod } from '@forge/kube/builtin.ts';
import type { NodeConnector } from './node-connector.ts';
import { storedObject } from './read.ts';
import { badRequest, internalError } from './refusal.ts';
import type { ResourceRequest } from './resource-request.ts';
import type { ServerContext } from './server-context.ts';
import type { ServerResponse } from './server-request.ts';

const passedOn = new Set(['follow', 'previous', 'sinceSeconds', 'sinceTime', 'timestamps', 'tailLines', 'limitBytes']);

/** Answers GET of pods/log by passing on what the node's kubelet says. */
export async function podLog(server: ServerContext, request: ResourceRequest): Promise<ServerResponse> {
  const pod = storedObject(server, request).value as Pod;
  const { name, namespace = '' } = pod.metadata;
  const container = containerOf(pod, request.query['container'] ?? '');
  const nodeName = pod.spec?.nodeName ?? '';
  if (nodeName === '') throw badRequest(`pod ${name} does not have a host assigned`);
  if (server.nodes === undefined)
    throw internalError(`this API server knows no way to the kubelet of node ${nodeName}`);
  const parameters = new URLSearchParams(Object.entries(request.query).filter(([key]) => passedOn.has(key)));
  const path = `/containerLogs/${namespace}/${name}/${container}?${parameters.toString()}`;
  const answer = await askKubelet(server.nodes, nodeName, path, request.signal);
  if (answer.statusCode === 200) return { status: 200, bytes: answer, contentType: 'text/plain' };
  const text = Buffer.concat(await answer.toArray())
    .toString()
    .trim();
  throw answer.statusCode === 404 || answer.statusCode === 400 ? badRequest(text) : internalError(text);
}

/** The container meant: the one named, or the only one there is. */
function containerOf({ metadata, spec }: Pod, named: string): string {
  const containers = (spec?.containers ?? []).map((each) => each.name);
  const initContainers = (spec?.initContainers ?? []).map((each) => each.name);
  if (named !== '') {
    if (containers.includes(named) || initContainers.includes(named)) return named;
    throw badRequest(`container ${named} is not valid for pod ${metadata.name}`);
  }
  const [only, ...others] = containers;
  if (only !== undefined && others.length === 0) return only;
  const or = initContainers.length === 0 ? '' : ` or one of the init containers: [${initContainers.join(' ')}]`;
  throw badRequest(
    `a container name must be specified for pod ${metadata.name}, choose one of: [${containers.join(' ')}]${or}`,
  );
}

async function askKubelet(
  { connect, tls }: NodeConnector,
  nodeName: string,
  path: string,
  signal?: AbortSignal,
): Promise<IncomingMessage> {
  const host = `${nodeName}:10250`;
  try {
    const socket = await connect(nodeName);
    const secure = tlsConnect({ socket, ...tls, servername: nodeName });
    return await new Promise((resolve, reject) => {
      const sent = httpsRequest({
        path,
        host: nodeName,
        createConnection: () => secure,

        ...(signal && { signal }),
      });
      sent.once('response', resolve);
      sent.once('error', (error) => {
        secure.destroy();
        reject(error);
      });
      sent.end();
    });
  } catch (error) {
    throw internalError(`Get "https://${host}${path}": ${(error as Error).message}`);
  }
}
