// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { labels, serverLabels } from '../test/expected-labels.ts';
import { openbaoFixture } from '../test/openbao-fixture.ts';
import { publicIngress } from './ingress.ts';
import { serverDisruptionBudget } from './pod-disruption-budget.ts';
import { acmeService, headlessService, publicService } from './services.ts';

const api = { name: 'api', port: 8200, targetPort: 8200, protocol: 'TCP' };
const service = (name: string, spec: object, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, labels, ...metadata },
  spec: { ...spec, selector: serverLabels },
});
const ingress = { enabled: true, host: ' bao.example.com ', path: '/' };
const acme = { directoryURL: 'https://acme.example.com/directory', domain: 'bao.example.com' };

describe('the Service', () => {
  test('of servers names each of them, also before it is ready', () => {
    const spec = { clusterIP: 'None', publishNotReadyAddresses: true, ports: [api] };
    assert.deepEqual(headlessService(openbaoFixture()), service('demo', spec));
  });

  test('of users is there when the spec asks for it, or for an Ingress', () => {
    assert.equal(publicService(openbaoFixture()), undefined);
    assert.equal(publicService(openbaoFixture({ ingress: { ...ingress, enabled: false } })), undefined);
    const inside = service('demo-public', { type: 'ClusterIP', ports: [api] });
    assert.deepEqual(publicService(openbaoFixture({ ingress })), inside);
    assert.deepEqual(publicService(openbaoFixture({ service: { type: 'ClusterIP' } })), inside);
    const annotations = { 'example.com/pool': 'public' };
    assert.deepEqual(
      publicService(openbaoFixture({ service: { type: 'LoadBalancer', annotations } })),
      service('demo-public', { type: 'LoadBalancer', ports: [api] }, { annotations }),
    );
  });

  test('of ACME is there in that mode, for servers that are not ready', () => {
    assert.equal(acmeService(openbaoFixture()), undefined);
    const ports = [
      { ...api, name: 'http', port: 80 },
      { ...api, name: 'https', port: 443 },
    ];
    assert.deepEqual(
      acmeService(openbaoFixture({ tls: { enabled: true, mode: 'ACME', acme } })),
      service('demo-acme', { publishNotReadyAddresses: true, ports }),
    );
  });
});

describe('the Ingress', () => {
  const expected = {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name: 'demo', labels },
    spec: {
      tls: [{ hosts: ['bao.example.com'], secretName: 'demo-tls-server' }],
      rules: [
        {
          host: 'bao.example.com',
          http: {
            paths: [
              {
                path: '/',
                pathType: 'Prefix',
                backend: { service: { name: 'demo-public', port: { number: 8200 } } },
              },
            ],
          },
        },
      ],
    },
  };

  test('leads to the public Service, with the certificate of the servers', () => {
    assert.deepEqual(publicIngress(openbaoFixture({ ingress })), expected);
  });

  test('is as the spec says', () => {
    const annotations = { 'example.com/backend-protocol': 'HTTPS' };
    const made = publicIngress(
      openbaoFixture({
        ingress: { ...ingress, className: 'nginx', path: 'bao', tlsSecretName: 'bao-tls', annotations },
      }),
    );
    assert.deepEqual(made?.metadata, { ...expected.metadata, annotations });
    assert.equal(made.spec?.ingressClassName, 'nginx');
    assert.equal(made.spec.tls?.[0]?.secretName, 'bao-tls');
    assert.equal(made.spec.rules?.[0]?.http?.paths[0]?.path, '/bao');
  });

  test('is not there without a host, or when it is not enabled', () => {
    assert.equal(publicIngress(openbaoFixture()), undefined);
    assert.equal(publicIngress(openbaoFixture({ ingress: { ...ingress, enabled: false } })), undefined);
    assert.equal(publicIngress(openbaoFixture({ ingress: { ...ingress, host: '  ' } })), undefined);
  });
});

test('the PodDisruptionBudget lets one of three servers go, and is not there for fewer', () => {
  assert.deepEqual(serverDisruptionBudget(openbaoFixture({ replicas: 3 }), 0), {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'demo-pdb', labels },
    spec: { maxUnavailable: 1, selector: { matchLabels: serverLabels } },
  });
  assert.equal(serverDisruptionBudget(openbaoFixture({ replicas: 2 }), 2), undefined);
  assert.notEqual(serverDisruptionBudget(openbaoFixture({ replicas: 2 }), 3), undefined);
});
