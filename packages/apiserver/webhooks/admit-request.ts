// SPDX-License-Identifier: Apache-2.0
import type { ResourceRequest } from '../request/resource-request.ts';
import type { ServerContext } from '../request/server-context.ts';
import type { AdmissionAttributes } from './admission-attributes.ts';
import { runMutatingWebhooks } from './run-mutating-webhooks.ts';
import { runValidatingWebhooks } from './run-validating-webhooks.ts';

/** Attributes that cannot be derived from the request. */
type RequestAttributes = Pick<AdmissionAttributes, 'operation' | 'object' | 'before' | 'dryRun' | 'options'> &
  Partial<Pick<AdmissionAttributes, 'kind'>>;

/** Runs the webhooks for a request that writes no object; they can deny it, but not change it. */
export async function admitRequest(
  server: ServerContext,
  { resource, subresource, namespace, name, user, warn }: ResourceRequest,
  asked: () => RequestAttributes,
): Promise<void> {
  if (server.webhooks.isEmpty()) return;
  const { group, version, kind } = resource.kind;
  const attributes: AdmissionAttributes = {
    kind: { group, version, kind },
    ...asked(),
    resource,
    subresource,
    namespace: resource.name === 'namespaces' ? name : namespace,
    name,
    user,
    warn,
  };
  await runMutatingWebhooks(attributes, server);
  await runValidatingWebhooks(attributes, server);
}
