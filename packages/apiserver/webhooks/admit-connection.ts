// SPDX-License-Identifier: Apache-2.0
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { booleanOf } from '../messages/query-values.ts';
import { badRequest } from '../messages/status-errors.ts';
import type { ResourceRequest } from '../request/resource-request.ts';
import type { ServerContext } from '../request/server-context.ts';
import { admitRequest } from './admit-request.ts';

/** Kinds of the connection options. */
const kinds: Readonly<Record<string, string>> = {
  exec: 'PodExecOptions',
  attach: 'PodAttachOptions',
  portforward: 'PodPortForwardOptions',
  proxy: 'ServiceProxyOptions',
};

/** Runs the webhooks for a CONNECT; throws when one denies it. */
export async function admitConnection(server: ServerContext, request: ResourceRequest): Promise<void> {
  if (request.query['dryRun'] !== undefined) throw badRequest('dryRun is not supported');
  return admitRequest(server, request, () => {
    const kind = { group: '', version: 'v1', kind: kinds[request.subresource ?? ''] ?? '' };
    return {
      operation: 'CONNECT',
      kind,
      object: parameters(kind.kind, request),
      before: undefined,
      dryRun: false,
      options: () => null,
    };
  });
}

function parameters(kind: string, { query, search, subpath }: ResourceRequest): KubeObject {
  const all = new URLSearchParams(search ?? query);
  const wanted = ['stdin', 'stdout', 'stderr', 'tty'].filter((name) => booleanOf(query[name]) === true);
  const [command, ports] = [all.getAll('command'), all.getAll('ports').map(Number)];
  const container = query['container'] ?? '';
  // The options object has no metadata.
  return {
    kind,
    apiVersion: 'v1',
    ...Object.fromEntries(wanted.map((name) => [name, true])),
    ...(container !== '' && { container }),
    ...(command.length > 0 && { command }),
    ...(ports.length > 0 && { ports }),
    ...(subpath !== '' && { path: subpath.replace(/^\/+/, '/') }),
  } as unknown as KubeObject;
}
