// SPDX-License-Identifier: Apache-2.0
import type { AdmissionAttributes } from '../matching/admission-attributes.ts';
import { runPolicies } from '../policies/run-policies.ts';
import type { ResourceRequest } from '../request/resource-request.ts';
import type { ServerContext } from '../request/server-context.ts';
import { runMutatingWebhooks } from './run-mutating-webhooks.ts';
import { runValidatingWebhooks } from './run-validating-webhooks.ts';

/** Attributes that cannot be derived from the request. */
type RequestAttributes = Pick<AdmissionAttributes, 'operation' | 'object' | 'before' | 'dryRun' | 'options'> &
  Partial<Pick<AdmissionAttributes, 'kind'>>;

/** Runs webhooks and policies for a request that writes no object; they can deny it, but not change it. */
export async function admitRequest(
  server: ServerContext,
  { resource, subresource, namespace, name, user, warn }: ResourceRequest,
  asked: () => RequestAttributes,
): Promise<void> {
  if (server.webhooks.isEmpty() && server.policies().length === 0) return;
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
  if (server.policies().length > 0) await runPolicies(attributes, server);
  await runValidatingWebhooks(attributes, server);
}
