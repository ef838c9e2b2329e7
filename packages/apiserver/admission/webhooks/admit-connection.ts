// SPDX-License-Identifier: Apache-2.0
import type { KubeObject } from '@forge/kube/objects/object.ts';
import type { ResourceRequest } from '../../context/resource-request.ts';
import type { ServerContext } from '../../context/server-context.ts';
import { booleanOf } from '../../request/list-options.ts';
import { admitRequest } from './admit-request.ts';

/** What the parameters of a connection are called when they are an object. */
const kinds: Readonly<Record<string, string>> = {
  exec: 'PodExecOptions',
  attach: 'PodAttachOptions',
  portforward: 'PodPortForwardOptions',
};

/** Asks the webhooks whether a pod may be connected to; throws their refusal. */
export function admitConnection(server: ServerContext, request: ResourceRequest): Promise<void> {
  return admitRequest(server, request, () => {
    const kind = { group: '', version: 'v1', kind: kinds[request.subresource ?? ''] ?? '' };
    return {
      operation: 'CONNECT',
      kind,
      object: parameters(kind.kind, request),
      before: undefined,
      dryRun: false,
      options: null,
    };
  });
}

function parameters(kind: string, { query, search }: ResourceRequest): KubeObject {
  const all = new URLSearchParams(search ?? query);
  const wanted = ['stdin', 'stdout', 'stderr', 'tty'].filter((name) => booleanOf(query[name]) === true);
  const [command, ports] = [all.getAll('command'), all.getAll('ports').map(Number)];
  const container = query['container'] ?? '';
  // It is an object without metadata.
  return {
    kind,
    apiVersion: 'v1',
    ...Object.fromEntries(wanted.map((name) => [name, true])),
    ...(container !== '' && { container }),
    ...(command.length > 0 && { command }),
    ...(ports.length > 0 && { ports }),
  } as unknown as KubeObject;
}
