// SPDX-License-Identifier: Apache-2.0
import { client } from '@forge/kube/client/client.ts';
import type { Handle } from '../messages/server-request.ts';
import type { ServerContext } from '../request/server-context.ts';
import { inProcessTransport } from '../wire/in-process-transport.ts';
import { defaultServiceAccount } from './default-service-account.ts';
import { definitionController } from './definition-controller.ts';
import { eventExpiry } from './event-expiry.ts';
import { garbageCollector } from './garbage-collector.ts';
import { namespaceController } from './namespace-controller.ts';
import { perNamespaceObject } from './per-namespace-object.ts';
import { policyStatus } from './policy-status.ts';
import { roleAggregator } from './role-aggregator.ts';
import { rootCertificate } from './root-certificate.ts';
import { createSystemObjects, type Endpoint } from './system-objects.ts';

/**
 * Starts the API server's own controllers; returns a function that stops them. They write through the API like any
 * client.
 */
export async function startControllers(
  server: ServerContext,
  handle: Handle,
  endpoint: Endpoint | undefined,
  authority: string | undefined,
): Promise<() => Promise<void>> {
  const user = { name: 'system:apiserver', groups: ['system:masters'] };
  const transport = inProcessTransport({ handle }, user);
  const api = client(transport);
  await createSystemObjects(server, api, endpoint);
  const stops = [
    definitionController(server, api),
    garbageCollector(server, api),
    namespaceController(server, api, transport),
    policyStatus(server, api),
    roleAggregator(server, api),
    eventExpiry(server),
    perNamespaceObject(server, defaultServiceAccount),
    ...(authority === undefined ? [] : [perNamespaceObject(server, rootCertificate(authority))]),
  ];
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}
