// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { OpenBaoCluster } from '../api/openbao-cluster.ts';
import { labels } from '../test/expected-labels.ts';
import { openbaoFixture } from '../test/openbao-fixture.ts';
import { serverNetworkPolicy } from './network-policy.ts';

const tcp = (port: number) => ({ port, protocol: 'TCP' });
const namespace = (name: string) => ({ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': name } } });
const address = (cidr: string) => ({ ipBlock: { cidr } });
const cluster = { podSelector: { matchLabels: labels } };
const apiServer = [{ to: [address('10.96.0.0/16')], ports: [tcp(443)] }];
const inputs = { apiServer, operatorNamespace: 'operators' };

type Spec = OpenBaoCluster['spec'];
const policyOf = (spec: Partial<Spec> = {}) => serverNetworkPolicy(openbaoFixture(spec), inputs).spec;
/** What is allowed beyond what every cluster may send. */
const egressOf = (spec: Partial<Spec>) => policyOf(spec)?.egress?.slice(3);

describe('the NetworkPolicy of servers', () => {
  test('isolates all pods of the cluster but those of Jobs', () => {
    assert.deepEqual(serverNetworkPolicy(openbaoFixture(), inputs), {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: { name: 'demo-network-policy', labels },
      spec: {
        podSelector: {
          matchLabels: labels,
          matchExpressions: [{ key: 'openbao.org/component', operator: 'NotIn', values: ['backup', 'upgrade'] }],
        },
        policyTypes: ['Ingress', 'Egress'],
        ingress: [
          { from: [cluster], ports: [tcp(8200), tcp(8201)] },
          { from: [namespace('kube-system')] },
          {
            from: [
              {
                ...namespace('operators'),
                podSelector: {
                  matchLabels: {
                    'app.kubernetes.io/name': 'openbao-operator',
                    'app.kubernetes.io/component': 'controller',
                  },
                },
              },
            ],
            ports: [tcp(8200)],
          },
        ],
        egress: [
          { to: [namespace('kube-system')], ports: [{ port: 53, protocol: 'UDP' }, tcp(53)] },
          ...apiServer,
          { to: [cluster], ports: [tcp(8200), tcp(8201)] },
        ],
      },
    });
  });

  test('admits no operator that does not run in the cluster', () => {
    const { spec } = serverNetworkPolicy(openbaoFixture(), { apiServer, operatorNamespace: undefined });
    assert.equal(spec?.ingress?.length, 2);
  });

  test('admits everybody to the API where there is an Ingress, or an ACME server that checks the domain', () => {
    const ingress = { enabled: true, host: 'bao.example.com', path: '/' };
    const acme = { directoryURL: 'https://acme.example.com/directory', domain: 'bao.example.com' };
    const open = { ports: [tcp(8200)] };
    assert.deepEqual(policyOf({ ingress })?.ingress?.at(-1), open);
    assert.deepEqual(policyOf({ tls: { enabled: true, mode: 'ACME', acme } })?.ingress?.at(-1), open);
    for (const none of [
      { ...ingress, enabled: false },
      { ...ingress, host: ' ' },
    ]) {
      assert.equal(policyOf({ ingress: none })?.ingress?.length, 3);
    }
  });

  test('ends with the rules of the spec, and finds DNS where that says', () => {
    const ingressRules = [{ from: [namespace('users')], ports: [tcp(8200)] }];
    const egressRules = [{ to: [address('192.0.2.0/24')], ports: [tcp(514)] }];
    const policy = policyOf({ network: { dnsNamespace: 'dns', ingressRules, egressRules } });
    assert.deepEqual(policy?.ingress?.slice(3), ingressRules);
    assert.deepEqual(policy.egress?.slice(3), egressRules);
    assert.deepEqual(policy.egress[0]?.to, [namespace('dns')]);
  });
});

const transit = (url: string): Partial<Spec> => ({
  unseal: { type: 'transit', transit: { address: url, keyName: 'k', mountPath: 'transit/' } },
});
const kmip = (host: string): Partial<Spec> => ({
  unseal: { type: 'kmip', kmip: { address: host, kmsKeyID: 'k', certificate: '/c', key: '/k' } },
});

describe('servers may reach', () => {
  for (const [target, spec, rules] of [
    ['the port of a transit server', transit('https://bao.example.com:8200'), [{ ports: [tcp(8200)] }]],
    ['the usual port of its scheme', transit('https://bao.example.com'), [{ ports: [tcp(443)] }]],
    ['a transit server without TLS', transit('http://bao.example.com'), [{ ports: [tcp(80)] }]],
    ['an address', transit('https://192.0.2.7:8200'), [{ to: [address('192.0.2.7/32')], ports: [tcp(8200)] }]],
    [
      'an address of IPv6',
      transit('https://[2001:db8::7]:8200'),
      [{ to: [address('2001:db8::7/128')], ports: [tcp(8200)] }],
    ],
    ['the namespace of a Service', transit('https://bao.vault.svc:443'), [{ to: [namespace('vault')] }]],
    ['that of a pod', transit('https://bao-0.bao.vault.svc.cluster.local:8200'), [{ to: [namespace('vault')] }]],
    ['its own namespace', transit('https://bao:8200'), [{ to: [namespace('default')] }]],
    ['nothing else where that is no URL', transit('bao example'), []],
    ['the port of a KMIP server', kmip('kmip.example.com:5697'), [{ ports: [tcp(5697)] }]],
    ['its usual port', kmip('192.0.2.8'), [{ to: [address('192.0.2.8/32')], ports: [tcp(5696)] }]],
    ['no security module', { unseal: { type: 'pkcs11', pkcs11: { lib: '/l', keyLabel: 'k', slot: '0' } } }, []],
  ] as const) {
    test(target, () => {
      assert.deepEqual(egressOf(spec), rules);
    });
  }

  const cloud = { awskms: 'awskms', azurekeyvault: 'azureKeyVault', gcpckms: 'gcpCloudKMS', ocikms: 'ocikms' } as const;
  for (const [type, block] of Object.entries(cloud) as [keyof typeof cloud, string][]) {
    test(`the service of ${type}, and the machine that they run on when they have no credentials`, () => {
      const unseal = { type, [block]: {} };
      const https = { ports: [tcp(443)] };
      assert.deepEqual(egressOf({ unseal }), [https, { to: [address('169.254.169.254/32')], ports: [tcp(80)] }]);
      assert.deepEqual(egressOf({ unseal: { ...unseal, credentialsSecretRef: { name: 'seal' } } }), [https]);
    });
  }

  test('the service of awskms where it is not that of AWS', () => {
    const awskms = { region: 'r', kmsKeyID: 'k', endpoint: 'https://192.0.2.9:4566' };
    const unseal = { type: 'awskms', credentialsSecretRef: { name: 'seal' }, awskms } as const;
    assert.deepEqual(egressOf({ unseal }), [{ to: [address('192.0.2.9/32')], ports: [tcp(4566)] }]);
  });

  test('the directory of an ACME server', () => {
    const acme = { directoryURL: 'https://acme.example.com:14000/dir', domain: 'bao.example.com' };
    assert.deepEqual(egressOf({ tls: { enabled: true, mode: 'ACME', acme } }), [{ ports: [tcp(14000)] }]);
    assert.deepEqual(egressOf({ tls: { enabled: true, mode: 'External', acme } }), []);
  });
});
