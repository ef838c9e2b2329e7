// SPDX-License-Identifier: Apache-2.0
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { trackUpdate } from '@forge/kube/patch/track-update.ts';
import type { Schema } from '@forge/kube/schema/schema.ts';
import { timestamp } from '@forge/runtime/environment/clock.ts';
import { writeOptionsOf } from '../matching/admission-attributes.ts';
import type { ResourceRequest } from '../request/resource-request.ts';
import type { ServerContext } from '../request/server-context.ts';
import { isDryRun, managerOf } from '../request/write-options.ts';
import { admitRequest } from './admit-request.ts';

const schema: Schema = {
  type: 'object',
  properties: { target: { type: 'object', 'x-kubernetes-map-type': 'atomic' } },
};

/** Runs the webhooks for a pod binding; throws when one denies it. */
export function admitBinding(server: ServerContext, request: ResourceRequest, target: object): Promise<void> {
  const { name, namespace, query } = request;
  return admitRequest(server, request, () => {
    const metadata = { name, namespace: namespace ?? '' };
    const after: KubeObject & { target: object } = { kind: 'Binding', apiVersion: 'v1', metadata, target };
    const writer = { manager: managerOf(request), time: timestamp(server.clock), subresource: 'binding' };
    return {
      operation: 'CREATE',
      kind: { group: '', version: 'v1', kind: 'Binding' },
      object: trackUpdate({ before: undefined, after, schema, ...writer }),
      before: undefined,
      dryRun: isDryRun(query),
      options: () => writeOptionsOf('CreateOptions', query),
    };
  });
}
