// SPDX-License-Identifier: Apache-2.0
import { DaemonSet, Ingress, Service } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import type { Controller } from '@forge/runtime/controller/controller.ts';
import { milliseconds, minutes, seconds } from '@forge/runtime/environment/duration.ts';

/** How long a controller may take to act on an object. */
const gracePeriod = seconds(10);
/** How often the Event is repeated; shorter than the time to live of Events. */
const repeatInterval = minutes(10);

const loadBalancerFinalizer = 'service.kubernetes.io/load-balancer-cleanup';

/** Reports DaemonSets whose status no controller writes. */
export const unservedDaemonSets = unserved(DaemonSet, {
  name: 'unserved-daemonsets',
  isUnserved: ({ status }) => status?.observedGeneration === undefined,
  message:
    'no controller of this cluster serves DaemonSets, so that no pods are created; ' +
    'use a Deployment, or run a controller that serves them',
});

/** Reports Ingresses that get no address from a controller. */
export const unservedIngresses = unserved(Ingress, {
  name: 'unserved-ingresses',
  isUnserved: ({ status }) => (status?.loadBalancer?.ingress ?? []).length === 0,
  message:
    'no controller of this cluster serves Ingresses, so that nothing is routed to their backends; ' +
    'use the Service with kubectl port-forward, or run an ingress controller',
});

/** Reports load balancers that get no address from a controller. */
export const unservedLoadBalancers = unserved(Service, {
  name: 'unserved-load-balancers',
  isUnserved: ({ spec, status, metadata }) =>
    spec?.type === 'LoadBalancer' &&
    (status?.loadBalancer?.ingress ?? []).length === 0 &&
    metadata.finalizers?.includes(loadBalancerFinalizer) !== true,
  message:
    'no controller of this cluster serves load balancers, so that the Service has no external address; ' +
    'use its cluster address or kubectl port-forward, or run a load balancer controller',
});

/** A controller that repeats an Event about each unserved object until a controller serves it. */
function unserved<T extends KubeObject>(
  kind: Kind<T>,
  { name, isUnserved, message }: { name: string; isUnserved: (object: T) => boolean; message: string },
): Controller {
  return {
    name,
    for: kind,
    async reconcile(ref, { cache, clock, event }) {
      const object = cache.get(kind, ref);
      if (object === undefined || object.metadata.deletionTimestamp !== undefined || !isUnserved(object))
        return undefined;
      const left = Date.parse(object.metadata.creationTimestamp ?? '') + gracePeriod - clock.now();
      if (left > 0) return milliseconds(left);
      await event(object, { type: 'Warning', reason: 'NotServed', message });
      return repeatInterval;
    },
  };
}
