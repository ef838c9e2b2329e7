// SPDX-License-Identifier: Apache-2.0
import type { ResourceRequest } from '../../context/resource-request.ts';
import type { ServerContext } from '../../context/server-context.ts';
import type { Attributes } from './attributes.ts';
import { mutateByWebhooks } from './mutate-by-webhooks.ts';
import { validateByWebhooks } from './validate-by-webhooks.ts';

/** What a request does not say of itself. */
type Asked = Pick<Attributes, 'operation' | 'object' | 'before' | 'dryRun' | 'options'> &
  Partial<Pick<Attributes, 'kind'>>;

/** Asks the webhooks about a request that writes no object; they can refuse it, and change nothing. */
export async function admitRequest(
  server: ServerContext,
  { resource, subresource, namespace, name, user, warn }: ResourceRequest,
  asked: () => Asked,
): Promise<void> {
  if (server.webhooks.none()) return;
  const { group, version, kind } = resource.kind;
  const attributes: Attributes = {
    kind: { group, version, kind },
    ...asked(),
    resource,
    subresource,
    namespace: resource.name === 'namespaces' ? name : namespace,
    name,
    user,
    warn,
  };
  await mutateByWebhooks(attributes, server);
  await validateByWebhooks(attributes, server);
}
