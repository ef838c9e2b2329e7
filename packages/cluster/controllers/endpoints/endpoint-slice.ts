// SPDX-License-Identifier: Apache-2.0
import { isDeepStrictEqual } from 'node:util';
import { EndpointSlice, Pod, Service } from '@forge/kube/kinds/builtin.ts';
import type { Controller } from '@forge/runtime/controller/controller.ts';
import type { Duration } from '@forge/runtime/environment/duration.ts';
import { controllerReference } from '@forge/runtime/objects/owner-reference.ts';
import { removeObject } from '../../objects/remove-object.ts';
import { endpointSlicesOf, type SliceContent } from './endpoint-slices-of.ts';
import { hasEndpoints, selects, watchServicePods } from './service-pods.ts';

const managedBy = 'endpointslice.kubernetes.io/managed-by';
const manager = 'endpointslice-controller.k8s.io';
const serviceName = 'kubernetes.io/service-name';
const headless = 'service.kubernetes.io/headless';

/** The EndpointSlice controller: lists the pods of each Service that has a selector. */
export const endpointSliceController: Controller = {
  name: 'endpoint-slice-controller',
  for: Service,
  owns: [EndpointSlice],
  watches: [watchServicePods],

  async reconcile(ref, { cache, client }): Promise<Duration | undefined> {
    const service = cache.get(Service, ref);
    const { uid, deletionTimestamp } = service?.metadata ?? {};
    if (service === undefined || uid === undefined || deletionTimestamp !== undefined || !hasEndpoints(service))
      return undefined;
    const pods = cache.list(Pod, { namespace: ref.namespace }).filter((pod) => selects(service, pod));
    const spare = cache.list(EndpointSlice, { namespace: ref.namespace, owner: uid });

    for (const content of endpointSlicesOf(service, pods)) {
      const same = spare.findIndex(({ ports }) => isDeepStrictEqual(ports ?? [], content.ports));
      const [slice] = spare.splice(same === -1 ? 0 : same, 1);
      const wanted = sliceOf(service, content);
      if (slice === undefined) await client.create(EndpointSlice, wanted);
      else if (!hasContent(slice, wanted)) {
        const { name, resourceVersion = '' } = slice.metadata;
        await client.update(EndpointSlice, { ...wanted, metadata: { ...wanted.metadata, name, resourceVersion } });
      }
    }
    for (const slice of spare) await removeObject(client, EndpointSlice, slice);
    return undefined;
  },
};

function sliceOf(service: Service, { ports, endpoints }: SliceContent): EndpointSlice {
  const { name, namespace, labels } = service.metadata;
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      name: '',
      generateName: `${name}-`,
      ...(namespace !== undefined && { namespace }),
      labels: {
        ...labels,
        [serviceName]: name,
        [managedBy]: manager,
        ...(service.spec?.clusterIP === 'None' && { [headless]: '' }),
      },
      ownerReferences: [controllerReference(service)],
    },
    addressType: 'IPv4',
    ports,
    endpoints,
  };
}

function hasContent(slice: EndpointSlice, wanted: EndpointSlice): boolean {
  return (
    isDeepStrictEqual(slice.ports ?? [], wanted.ports) &&
    isDeepStrictEqual(slice.endpoints ?? [], wanted.endpoints) &&
    isDeepStrictEqual(slice.metadata.labels, wanted.metadata.labels)
  );
}
