// SPDX-License-Identifier: Apache-2.0
import type { CertificateSigningRequest, DaemonSet } from '@forge/kube/kinds/builtin.ts';
import { encodeEnvelope } from '@forge/kube/protobuf/encode-envelope.ts';
import { testCase, type ConformanceCase } from '../../conversation/conformance-case.ts';
import { certificateRequest, ownerReference } from '../../objects/objects.ts';

const headers = { 'content-type': 'application/vnd.kubernetes.protobuf' };
const labels = { app: 'a' };
const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'example:1' }] } };

function daemonSet(name: string, spec: object = {}) {
  const selector = { matchLabels: labels };
  return { apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { name }, spec: { selector, template, ...spec } };
}

function replicationController(name: string, spec: object = {}) {
  return { apiVersion: 'v1', kind: 'ReplicationController', metadata: { name }, spec: { template, ...spec } };
}

function controllerRevision(name: string, more: object = {}) {
  const data = { spec: { template } };
  return { apiVersion: 'apps/v1', kind: 'ControllerRevision', metadata: { name }, data, revision: 1, ...more };
}

function quota(name: string, spec: object) {
  return { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name }, spec };
}

function endpoints(name: string, ...subsets: object[]) {
  return { apiVersion: 'v1', kind: 'Endpoints', metadata: { name }, subsets };
}

function ipAddress(name: string, spec: object) {
  return { apiVersion: 'networking.k8s.io/v1', kind: 'IPAddress', metadata: { name }, spec };
}

function serviceCidr(name: string, ...cidrs: string[]) {
  return { apiVersion: 'networking.k8s.io/v1', kind: 'ServiceCIDR', metadata: { name }, spec: { cidrs } };
}

function signingRequest(name: string, spec: object = {}) {
  return {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name },
    spec: { request: certificateRequest, signerName: 'example.com/signer', usages: ['client auth'], ...spec },
  };
}

const parentRef = { resource: 'services', namespace: 'default', name: 'a' };
const addresses = '/apis/networking.k8s.io/v1/ipaddresses';
const cidrs = '/apis/networking.k8s.io/v1/servicecidrs';
const requests = '/apis/certificates.k8s.io/v1/certificatesigningrequests';

/** Kinds that only controllers use: stored, defaulted and validated. */
export const controllerKinds: readonly ConformanceCase[] = [
  testCase('a daemon set is created with its defaults and counts its templates', async (api) => {
    await api.post('apps/v1/daemonsets', daemonSet('a'));
    await api.patch('strategic', 'apps/v1/daemonsets/a', {
      spec: { template: { spec: { containers: [{ name: 'main', image: 'example:2' }] } } },
    });
    await api.patch('merge', 'apps/v1/daemonsets/a', { spec: { minReadySeconds: 5 } });
    await api.patch('merge', 'apps/v1/daemonsets/a', {
      spec: { updateStrategy: { type: 'OnDelete', rollingUpdate: null } },
    });
    const read = await api.get<DaemonSet>('apps/v1/daemonsets/a');
    await api.put('apps/v1/daemonsets/a/status', {
      ...read,
      status: { ...read.status, numberReady: 2, observedGeneration: 3 },
    });
    await api.table('apps/v1/daemonsets');
    await api.delete('apps/v1/daemonsets/a');
  }),

  testCase('an invalid daemon set is rejected', async (api) => {
    await api.post('apps/v1/daemonsets', daemonSet('a', { selector: { matchLabels: { app: 'b' } } }));
    await api.post('apps/v1/daemonsets', daemonSet('a', { selector: {} }));
    await api.post('apps/v1/daemonsets', daemonSet('a', { minReadySeconds: -1, revisionHistoryLimit: -1 }));
    await api.post('apps/v1/daemonsets', daemonSet('a', { updateStrategy: { type: 'Sometimes' } }));
    for (const rollingUpdate of [
      { maxUnavailable: 0, maxSurge: 0 },
      { maxUnavailable: 1, maxSurge: 1 },
      { maxUnavailable: '120%', maxSurge: 'many' },
    ]) {
      await api.post('apps/v1/daemonsets', daemonSet('a', { updateStrategy: { rollingUpdate } }));
    }
    const spec = { ...template.spec, restartPolicy: 'Never', activeDeadlineSeconds: 5 };
    await api.post('apps/v1/daemonsets', daemonSet('a', { template: { ...template, spec } }));
    await api.post('apps/v1/daemonsets', daemonSet('b'));
    await api.patch('merge', 'apps/v1/daemonsets/b', { spec: { selector: { matchLabels: { other: 'a' } } } });
  }),

  testCase('a replication controller takes selector and labels from its template', async (api) => {
    await api.post('replicationcontrollers', replicationController('a'));
    await api.put('replicationcontrollers/a/scale', {
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: { name: 'a' },
      spec: { replicas: 3 },
    });
    await api.get('replicationcontrollers/a/scale');
    await api.patch('merge', 'replicationcontrollers/a/status', { status: { replicas: 1, readyReplicas: 2 } });
    await api.patch('merge', 'replicationcontrollers/a/status', { status: { replicas: 2, readyReplicas: 1 } });
    await api.get('replicationcontrollers', { fieldSelector: 'status.replicas=2' });
    await api.table('replicationcontrollers');
    await api.post('replicationcontrollers', replicationController('b', { template: undefined, replicas: -1 }));
    await api.post(
      'replicationcontrollers',
      replicationController('b', { selector: { app: 'b' }, minReadySeconds: -1 }),
    );
    await api.delete('replicationcontrollers/a');
  }),

  testCase('a controller revision keeps its data', async (api) => {
    const set = await api.post('apps/v1/daemonsets', daemonSet('a'));
    await api.post('apps/v1/controllerrevisions', encodeEnvelope(controllerRevision('a')), {}, headers);
    await api.patch('merge', 'apps/v1/controllerrevisions/a', { revision: 2 });
    await api.patch('merge', 'apps/v1/controllerrevisions/a', { data: { tail: true } });
    await api.patch('merge', 'apps/v1/controllerrevisions/a', { revision: -1 });
    await api.post('apps/v1/controllerrevisions', controllerRevision('b', { data: undefined }));
    const metadata = { name: 'c', ownerReferences: [ownerReference(set, { controller: true })] };
    await api.post('apps/v1/controllerrevisions', controllerRevision('c', { metadata }));
    await api.table('apps/v1/controllerrevisions');
  }),

  testCase('a quota is created and shown', async (api) => {
    const hard = {
      pods: '2',
      'limits.cpu': '1500m',
      'requests.memory': '1Gi',
      'example.com/gpu': '4',
      'count/secrets': '3',
    };
    await api.post('resourcequotas', quota('a', { hard }));
    await api.patch('merge', 'resourcequotas/a/status', {
      status: { hard, used: { pods: '1', 'limits.cpu': '500m' } },
    });
    await api.table('resourcequotas');
    await api.patch('merge', 'resourcequotas/a', { spec: { scopes: ['NotTerminating'] } });
    await api.patch('merge', 'resourcequotas/a', { spec: { hard: { pods: '5' } } });
    await api.delete('resourcequotas/a');
  }),

  testCase('an invalid quota is rejected', async (api) => {
    for (const spec of [
      { hard: { rooms: '1' } },
      { hard: { pods: '-1' } },
      { hard: { pods: '500m' } },
      { hard: { 'no name': '1' } },
      { hard: { pods: '1' }, scopes: ['Always'] },
      { hard: { services: '1' }, scopes: ['BestEffort'] },
      { hard: { pods: '1' }, scopes: ['BestEffort', 'NotBestEffort'] },
      { hard: { pods: '1' }, scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In' }] } },
      { hard: { pods: '1' }, scopeSelector: { matchExpressions: [{ scopeName: 'BestEffort', operator: 'Maybe' }] } },
    ]) {
      await api.post('resourcequotas', quota('a', spec));
    }
  }),

  testCase('endpoints are created with defaults and a deprecation warning', async (api) => {
    const ready = [{ ip: '10.0.0.1', hostname: 'a' }, { ip: '10.0.0.2' }];
    await api.post('endpoints', endpoints('a', { addresses: ready, ports: [{ port: 80 }] }));
    await api.put('endpoints/a', endpoints('a', { addresses: ready, notReadyAddresses: [{ ip: '2001:db8::1' }] }));
    await api.post(
      'endpoints',
      endpoints('b', {
        addresses: ready,
        ports: [
          { name: 'x', port: 80 },
          { name: 'y', port: 81 },
        ],
      }),
    );
    await api.post('endpoints', endpoints('c'));
    await api.table('endpoints');
    await api.get('endpoints');
    await api.delete('endpoints/a');
  }),

  testCase('invalid endpoints are rejected', async (api) => {
    for (const subset of [
      {},
      { addresses: [{ ip: '' }] },
      { addresses: [{ ip: 'here' }, { ip: '127.0.0.1' }, { ip: '0.0.0.0' }] },
      { addresses: [{ ip: '10.0.0.1', hostname: 'No Host', nodeName: 'No Node' }] },
      { addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 0 }, { port: 70_000, name: 'No Name', protocol: 'ICMP' }] },
    ]) {
      await api.post('endpoints', endpoints('a', subset));
    }
  }),

  testCase('an IP address has one immutable parent', async (api) => {
    await api.post(addresses, ipAddress('192.0.2.7', { parentRef }));
    await api.patch('merge', `${addresses}/192.0.2.7`, { spec: { parentRef: { name: 'b' } } });
    await api.table(`${addresses}/192.0.2.7`);
    await api.post(addresses, ipAddress('here', { parentRef }));
    await api.post(addresses, ipAddress('192.0.2.08', { parentRef }));
    await api.post(addresses, ipAddress('2001:db8:0::1', { parentRef }));
    await api.post(addresses, ipAddress('192.0.2.8', {}));
    await api.post(
      addresses,
      ipAddress('192.0.2.8', { parentRef: { group: 'No Group', resource: 'a/b', name: '..' } }),
    );
    await api.post(addresses, ipAddress('192.0.2.8', { parentRef: { resource: '', name: '' } }));
    await api.delete(`${addresses}/192.0.2.7`);
  }),

  testCase('a service CIDR is immutable', async (api) => {
    const name = `${api.namespace}-a`;
    await api.post(cidrs, serviceCidr(name, '192.0.2.0/24'));
    await api.put(`${cidrs}/${name}`, serviceCidr(name, '192.0.3.0/24'));
    await api.table(`${cidrs}/${name}`);
    for (const list of [
      [],
      ['here'],
      ['192.0.2.0/24', '192.0.3.0/24'],
      ['192.0.2.0/24', '2001:db8::/64', '192.0.3.0/24'],
      ['192.0.2.1/24'],
    ]) {
      await api.post(cidrs, serviceCidr(`${name}-b`, ...list));
    }
    await api.delete(`${cidrs}/${name}`);
  }),

  testCase('a signing request records who created it', async (api) => {
    const name = `${api.namespace}-a`;
    const created = await api.post<CertificateSigningRequest>(
      requests,
      signingRequest(name, { username: 'somebody else', groups: ['other'], expirationSeconds: 86_400 }),
    );
    await api.table(`${requests}/${name}`);
    await api.patch('merge', `${requests}/${name}`, { spec: { signerName: 'example.com/other' } });
    const decide = (type: string, more: object = {}) => ({
      ...created,
      status: { conditions: [{ type, status: 'True', reason: 'Decided', ...more }] },
    });
    await api.put(`${requests}/${name}/status`, { ...decide('Approved'), metadata: { name } });
    await api.put(`${requests}/${name}/approval`, decide('Approved', { status: 'False' }));
    await api.put(`${requests}/${name}/approval`, decide('Approved'));
    await api.patch('merge', `${requests}/${name}/approval`, { status: { conditions: [] } });
    await api.table(`${requests}/${name}`);
    await api.get(`${requests}/${name}/approval`);
    await api.delete(`${requests}/${name}`);
  }),

  testCase('an invalid signing request is rejected', async (api) => {
    const name = `${api.namespace}-a`;
    for (const spec of [
      { usages: [], signerName: '' },
      { usages: ['fun', 'client auth', 'client auth'], signerName: 'signer' },
      { request: Buffer.from('none').toString('base64'), expirationSeconds: 599 },
      { signerName: 'kubernetes.io/legacy-unknown' },
      { signerName: 'nodots/signer' },
      { signerName: 'example.com/a/b' },
    ]) {
      await api.post(requests, signingRequest(name, spec));
    }
  }),

  testCase('an update of some kinds must carry a resourceVersion', async (api) => {
    const metadata = { name: `${api.namespace}-a` };
    for (const [path, kind] of [
      ['coordination.k8s.io/v1/leases', 'Lease'],
      ['policy/v1/poddisruptionbudgets', 'PodDisruptionBudget'],
      ['/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations', 'MutatingWebhookConfiguration'],
      ['/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', 'ValidatingWebhookConfiguration'],
      ['apps/v1/deployments', 'Deployment'],
    ] as const) {
      const apiVersion = path.replace('/apis/', '').split('/').slice(0, 2).join('/');
      const spec = kind === 'Deployment' ? { spec: { selector: { matchLabels: labels }, template } } : {};
      const object = { apiVersion, kind, metadata, ...spec };
      const { metadata: created } = await api.post(path, object);
      await api.put(`${path}/${metadata.name}`, object);
      await api.put(`${path}/${metadata.name}`, { ...object, metadata: { ...created, labels } });
    }
  }),

  testCase('discovery lists the resources of controllers', async (api) => {
    await api.get('/apis/apps/v1');
    await api.get('/apis/certificates.k8s.io');
  }),
];
