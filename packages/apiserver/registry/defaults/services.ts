// SPDX-License-Identifier: Apache-2.0
import type {
  HTTPIngressPath,
  IngressBackend,
  IngressRule,
  ServicePort,
  ServiceSpec,
} from '@forge/kube/generated/types.ts';
import type { Ingress, IngressClass, Service } from '@forge/kube/kinds/builtin.ts';
import { isExternallyAccessible } from '../../resources/service-exposure.ts';
import { defaults, eachItem, chain, type Defaults, unset } from './defaults.ts';

function targetItself(port: ServicePort): ServicePort {
  const { targetPort = '' } = port;
  return targetPort === '' || targetPort === 0 ? { ...port, targetPort: port.port } : port;
}

/** Defaults by type and session affinity. */
function byType(spec: ServiceSpec): ServiceSpec {
  const { type, sessionAffinity } = spec;
  return {
    ...(type !== 'ExternalName' && { internalTrafficPolicy: 'Cluster' }),
    ...(isExternallyAccessible(spec) && { externalTrafficPolicy: 'Cluster' }),
    ...(type === 'LoadBalancer' && { allocateLoadBalancerNodePorts: true }),
    ...(sessionAffinity === 'ClientIP' && { sessionAffinityConfig: { clientIP: { timeoutSeconds: 10_800 } } }),
    ...spec,
  };
}

const spec: Defaults<ServiceSpec> = chain<ServiceSpec>(
  defaults({ type: 'ClusterIP', sessionAffinity: 'None' }, { ports: eachItem(targetItself) }),
  byType,
);

/** Defaults of services, except allocated addresses. */
export const defaultService = defaults<Service>(
  {},
  {
    spec,
    status: defaults({}, { loadBalancer: defaults({}, { ingress: eachItem(defaults({ ipMode: 'VIP' })) }) }),
  },
);

const backend = defaults<IngressBackend>({}, { resource: defaults({ apiGroup: unset }) });

/** References of an Ingress without a group have a null there. */
export const fillIngressZeros = defaults<Ingress>(
  {},
  {
    spec: defaults(
      {},
      {
        defaultBackend: backend,
        rules: eachItem<IngressRule>(
          defaults({}, { http: defaults({}, { paths: eachItem<HTTPIngressPath>(defaults({}, { backend })) }) }),
        ),
      },
    ),
  },
);

/** Defaults of ingress classes. */
export const defaultIngressClass = defaults<IngressClass>(
  {},
  { spec: defaults({}, { parameters: defaults({ scope: 'Cluster' }) }) },
);
