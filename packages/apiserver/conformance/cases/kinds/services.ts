// SPDX-License-Identifier: Apache-2.0
import type { EndpointSlice, Service } from '@forge/kube/kinds/builtin.ts';
import { testCase, type ConformanceCase } from '../../conversation/conformance-case.ts';

function service(name: string, spec: object = {}) {
  return { apiVersion: 'v1', kind: 'Service', metadata: { name }, spec: { ports: [{ port: 80 }], ...spec } };
}

function endpointSlice(name: string, more: object = {}) {
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name },
    addressType: 'IPv4',
    endpoints: [{ addresses: ['10.0.0.1'] }],
    ports: [{ port: 80 }],
    ...more,
  };
}

/** Services, their addresses and ports, and EndpointSlices. */
export const services: readonly ConformanceCase[] = [
  testCase('a service is created with its defaults and an address', async (api) => {
    await api.post('services', service('a', { selector: { app: 'a' } }));
    await api.post(
      'services',
      service('b', { sessionAffinity: 'ClientIP', ports: [{ port: 80, targetPort: 'http' }] }),
    );
  }),

  testCase('an address that is asked for is given once', async (api) => {
    await api.post('services', service('a', { clusterIP: '10.96.0.77' }));
    await api.post('services', service('b', { clusterIP: '10.96.0.77' }));
    await api.delete('services/a');
    await api.post('services', service('b', { clusterIP: '10.96.0.77' }));
  }),

  testCase('an address must be one of the network', async (api) => {
    await api.post('services', service('a', { clusterIP: '10.1.2.3' }));
    await api.post('services', service('a', { clusterIP: 'here' }));
    await api.post('services', service('a', { clusterIP: '10.96.0.78', clusterIPs: ['10.96.0.79'] }));
  }),

  testCase('a headless service has no address', async (api) => {
    await api.post('services', service('a', { clusterIP: 'None' }));
    const selector = { app: 'b' };
    await api.post('services', service('b', { clusterIP: 'None', ports: undefined, selector }));
    await api.put('services/b', service('b', { clusterIP: '10.96.0.80', selector }));
  }),

  testCase('an external name has no address until it is one no more', async (api) => {
    const external = service('a', { type: 'ExternalName', externalName: 'example.com', ports: undefined });
    await api.post('services', external);
    await api.put('services/a', service('a'));
    await api.put('services/a', external);
  }),

  testCase('node ports are given, once, while the service wants them', async (api) => {
    await api.post('services', service('a', { type: 'NodePort' }));
    await api.post('services', service('b', { type: 'NodePort', ports: [{ port: 80, nodePort: 30_007 }] }));
    await api.post('services', service('c', { type: 'NodePort', ports: [{ port: 80, nodePort: 30_007 }] }));
    await api.post('services', service('c', { type: 'NodePort', ports: [{ port: 80, nodePort: 80 }] }));
    await api.post('services', service('c', { ports: [{ port: 80, nodePort: 30_008 }] }));
    await api.put('services/b', service('b', { type: 'NodePort' }));
    await api.put('services/b', service('b'));
  }),

  testCase('a load balancer has node ports too', async (api) => {
    await api.post('services', service('a', { type: 'LoadBalancer' }));
    await api.post('services', service('b', { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false }));
    await api.patch('merge', 'services/b/status', { status: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } } });
  }),

  testCase('a service with what makes no sense is refused', async (api) => {
    for (const spec of [
      { ports: [] },
      { ports: [{}] },
      { ports: [{ port: 70_000, protocol: 'TLS', targetPort: 'Not_a_Port', name: 'No_Name' }] },
      { ports: [{ port: 80 }, { port: 81 }] },
      {
        ports: [
          { name: 'a', port: 80 },
          { name: 'a', port: 81 },
          { name: 'b', port: 80 },
        ],
      },
      { type: 'Inside' },
      { type: 'ExternalName' },
      { type: 'ExternalName', externalName: 'No_Name', clusterIP: '10.96.0.81' },
      { sessionAffinity: 'Cookie', internalTrafficPolicy: 'Far', externalTrafficPolicy: 'Local' },
      { selector: { 'not a key': 'not a value' } },
      { ipFamilyPolicy: 'RequireDualStack' },
      { ipFamilies: ['IPv6'] },
    ]) {
      await api.post('services', service('a', spec));
    }
    await api.post('services', service('No_Name'));
    await api.post('services', { ...service('a'), spec: undefined });
  }),

  testCase('the address of a service may be left out, but not change', async (api) => {
    const created = await api.post<Service>('services', service('a', { clusterIP: '10.96.0.82' }));
    const { metadata } = created;
    await api.put('services/a', { ...service('a', { ports: [{ port: 81 }] }), metadata });
    await api.put('services/a', service('a', { clusterIP: '10.96.0.83' }));
    await api.put('services/a', service('a', { clusterIP: 'None' }));
    await api.patch('merge', 'services/a', { spec: { clusterIP: null, clusterIPs: null } });
    await api.patch('merge', 'services/a', { spec: { ipFamilies: ['IPv6'] } });
  }),

  testCase('an endpoint slice is created with its defaults', async (api) => {
    await api.post('discovery.k8s.io/v1/endpointslices', endpointSlice('a'));
    await api.post(
      'discovery.k8s.io/v1/endpointslices',
      endpointSlice('b', { endpoints: undefined, ports: undefined }),
    );
  }),

  testCase('an endpoint slice with what makes no sense is refused', async (api) => {
    const post = (more: object) => api.post('discovery.k8s.io/v1/endpointslices', endpointSlice('a', more));
    await post({ addressType: undefined });
    await post({ addressType: 'Phone' });
    await post({ endpoints: [{ addresses: [] }, { addresses: ['here'] }, { addresses: ['::1'] }] });
    await post({ endpoints: [{ addresses: ['127.0.0.1'] }] });
    await post({ ports: [{ port: 80 }, { port: 81 }] });
    await post({ ports: [{ name: 'No_Name', port: 70_000, protocol: 'TLS' }] });
    const created = await api.post<EndpointSlice>('discovery.k8s.io/v1/endpointslices', endpointSlice('a'));
    await api.put('discovery.k8s.io/v1/endpointslices/a', { ...created, addressType: 'FQDN' });
  }),
];
