// SPDX-License-Identifier: Apache-2.0
import { isDeepStrictEqual } from 'node:util';
import { Endpoints, Pod, Service } from '@forge/kube/kinds/builtin.ts';
import { refOf } from '@forge/kube/objects/object.ts';
import { watch, type Controller } from '@forge/runtime/controller/controller.ts';
import type { Duration } from '@forge/runtime/environment/duration.ts';
import { removeObject } from '../../objects/remove-object.ts';
import { hasEndpoints, selects, watchServicePods } from './service-pods.ts';
import { subsetsOf } from './subsets-of.ts';

const managedBy = 'endpoints.kubernetes.io/managed-by';
const manager = 'endpoint-controller';
const headless = 'service.kubernetes.io/headless';

/** The Endpoints controller: writes the pods of each Service with a selector to the Endpoints of the same name. */
export const endpointsController: Controller = {
  name: 'endpoint-controller',
  for: Service,
  watches: [
    watchServicePods,
    // For Services that were deleted while no controller ran, and for Endpoints that a user changed.
    watch(Endpoints, (endpoints) => (endpoints.metadata.labels?.[managedBy] === manager ? [refOf(endpoints)] : [])),
  ],

  async reconcile(ref, { cache, client }): Promise<Duration | undefined> {
    const service = cache.get(Service, ref);
    const existing = cache.get(Endpoints, ref);
    if (service === undefined) {
      if (existing !== undefined) await removeObject(client, Endpoints, existing);
      return undefined;
    }
    if (service.metadata.deletionTimestamp !== undefined || !hasEndpoints(service)) return undefined;
    const pods = cache.list(Pod, { namespace: ref.namespace }).filter((pod) => selects(service, pod));
    const wanted = endpointsOf(service, pods);
    if (existing === undefined) await client.create(Endpoints, wanted);
    else if (!hasContent(existing, wanted)) {
      const { annotations, resourceVersion = '' } = existing.metadata;
      const metadata = { ...wanted.metadata, ...(annotations && { annotations }), resourceVersion };
      await client.update(Endpoints, { ...wanted, metadata });
    }
    return undefined;
  },
};

function endpointsOf(service: Service, pods: readonly Pod[]): Endpoints {
  const { name, namespace, labels } = service.metadata;
  const { [headless]: _, ...others } = labels ?? {};
  const subsets = subsetsOf(service, pods);
  return {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: {
      name,
      ...(namespace !== undefined && { namespace }),
      labels: { ...others, ...(service.spec?.clusterIP === 'None' && { [headless]: '' }), [managedBy]: manager },
    },
    ...(subsets.length > 0 && { subsets }),
  };
}

function hasContent(existing: Endpoints, wanted: Endpoints): boolean {
  return (
    isDeepStrictEqual(existing.subsets ?? [], wanted.subsets ?? []) &&
    isDeepStrictEqual(existing.metadata.labels, wanted.metadata.labels)
  );
}
