// SPDX-License-Identifier: Apache-2.0
import { Pod, Service } from '@forge/kube/kinds/builtin.ts';
import { refOf } from '@forge/kube/objects/object.ts';
import { watch } from '@forge/runtime/controller/controller.ts';

/** Enqueues the Services that select a changed pod. */
export const watchServicePods = watch(Pod, (pod, { cache }) =>
  cache
    .list(Service, { namespace: pod.metadata.namespace })
    .filter((service) => selects(service, pod))
    .map(refOf),
);

/** Whether controllers compute the endpoints of a Service: others have none, or those that users write. */
export function hasEndpoints({ spec }: Service): boolean {
  return spec?.type !== 'ExternalName' && Object.keys(spec?.selector ?? {}).length > 0;
}

/** Whether a Service selects a pod. */
export function selects(service: Service, { metadata }: Pod): boolean {
  const wanted = Object.entries(service.spec?.selector ?? {});
  return hasEndpoints(service) && wanted.every(([key, value]) => metadata.labels?.[key] === value);
}
