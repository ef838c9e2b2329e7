// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pod, Service } from '@forge/kube/kinds/builtin.ts';
import { serviceVariables } from './service-variables.ts';

const service = (namespace: string, name: string, spec: Service['spec']): Service => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { namespace, name },
  spec: { ...spec },
});

const services = [
  service('default', 'kubernetes', { clusterIP: '10.96.0.1', ports: [{ name: 'https', port: 443 }] }),
  service('default', 'other', { clusterIP: '10.96.0.7', ports: [{ port: 1 }] }),
  service('shop', 'web-api', { clusterIP: '10.96.0.8', ports: [{ port: 80 }, { port: 53, protocol: 'UDP' }] }),
  service('shop', 'headless', { clusterIP: 'None', ports: [{ port: 80 }] }),
];

const pod = (spec: Partial<NonNullable<Pod['spec']>> = {}): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { namespace: 'shop', name: 'web-0' },
  spec: { containers: [], ...spec },
});

const apiServer = {
  KUBERNETES_SERVICE_HOST: '10.96.0.1',
  KUBERNETES_SERVICE_PORT: '443',
  KUBERNETES_SERVICE_PORT_HTTPS: '443',
  KUBERNETES_PORT: 'tcp://10.96.0.1:443',
  KUBERNETES_PORT_443_TCP: 'tcp://10.96.0.1:443',
  KUBERNETES_PORT_443_TCP_PROTO: 'tcp',
  KUBERNETES_PORT_443_TCP_PORT: '443',
  KUBERNETES_PORT_443_TCP_ADDR: '10.96.0.1',
};

test("a pod has the variables of the API server and of its own namespace's Services with an address", () => {
  assert.deepEqual(serviceVariables(pod(), services), {
    ...apiServer,
    WEB_API_SERVICE_HOST: '10.96.0.8',
    WEB_API_SERVICE_PORT: '80',
    WEB_API_PORT: 'tcp://10.96.0.8:80',
    WEB_API_PORT_80_TCP: 'tcp://10.96.0.8:80',
    WEB_API_PORT_80_TCP_PROTO: 'tcp',
    WEB_API_PORT_80_TCP_PORT: '80',
    WEB_API_PORT_80_TCP_ADDR: '10.96.0.8',
    WEB_API_PORT_53_UDP: 'udp://10.96.0.8:53',
    WEB_API_PORT_53_UDP_PROTO: 'udp',
    WEB_API_PORT_53_UDP_PORT: '53',
    WEB_API_PORT_53_UDP_ADDR: '10.96.0.8',
  });
});

test('without service links, a pod has the variables of the API server only', () => {
  assert.deepEqual(serviceVariables(pod({ enableServiceLinks: false }), services), apiServer);
});
