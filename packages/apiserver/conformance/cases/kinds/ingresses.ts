// SPDX-License-Identifier: Apache-2.0
import { testCase, type ConformanceCase } from '../../conversation/conformance-case.ts';
import type { Conversation } from '../../conversation/conversation.ts';

const apiVersion = 'networking.k8s.io/v1';
const ingresses = `${apiVersion}/ingresses`;
const classes = `/apis/${apiVersion}/ingressclasses`;
const backend = { service: { name: 'web', port: { number: 80 } } };
const http = { paths: [{ path: '/', pathType: 'Prefix', backend }] };

/** With a class, so that none is defaulted while another case has a default class. */
function ingress(name: string, spec: object = {}, metadata: object = {}) {
  return {
    apiVersion,
    kind: 'Ingress',
    metadata: { name, ...metadata },
    spec: { ingressClassName: 'none', rules: [{ host: 'a.example.com', http }], ...spec },
  };
}

function ingressClass(name: string, spec: object = {}, metadata: object = {}) {
  return {
    apiVersion,
    kind: 'IngressClass',
    metadata: { name, ...metadata },
    spec: { controller: 'example.com/controller', ...spec },
  };
}

async function trySpecs(api: Conversation, ...specs: readonly object[]): Promise<void> {
  for (const spec of specs) await api.post(ingresses, ingress('a', spec), { dryRun: 'All' });
}

function tryPaths(api: Conversation, ...paths: readonly object[]): Promise<void> {
  return trySpecs(
    api,
    ...paths.map((path) => ({ rules: [{ http: { paths: [{ path: '/', pathType: 'Prefix', backend, ...path }] } }] })),
  );
}

async function tryClasses(api: Conversation, ...specs: readonly object[]): Promise<void> {
  for (const spec of specs) await api.post(classes, ingressClass(`${api.namespace}-a`, spec), { dryRun: 'All' });
}

function service(more: object) {
  return { backend: { service: { name: 'web', ...more } } };
}

/** Ingresses and their classes. */
export const ingressCases: readonly ConformanceCase[] = [
  testCase('an Ingress is created, updated and deleted', async (api) => {
    await api.post(ingresses, ingress('a', {}, { generation: 7 }));
    await api.patch('merge', `${ingresses}/a`, {
      spec: { defaultBackend: backend },
      status: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } },
    });
    await api.patch('merge', `${ingresses}/a`, { metadata: { labels: { a: 'b' } } });
    await api.put(`${ingresses}/a`, ingress('a', { tls: [{ hosts: ['a.example.com'], secretName: 'tls' }] }));
    await api.apply(`${ingresses}/a`, 'me', ingress('a', { rules: [{ host: '*.example.com' }] }), { force: 'true' });
    await api.get(`${ingresses}/a`);
    await api.delete(`${ingresses}/a`);
  }),

  testCase('an Ingress needs a backend or rules', async (api) => {
    await api.post(ingresses, {
      apiVersion,
      kind: 'Ingress',
      metadata: { name: 'a' },
      spec: { ingressClassName: 'none' },
    });
    await trySpecs(
      api,
      { rules: [], defaultBackend: backend },
      { rules: [{}] },
      { rules: [{ http: {} }] },
      { rules: [{ http: { paths: [] } }] },
      { ingressClassName: '' },
      { ingressClassName: 'No_Class' },
    );
  }),

  testCase('a path of an Ingress has a type that fits it', async (api) => {
    await tryPaths(
      api,
      { pathType: undefined },
      { pathType: null },
      { pathType: '' },
      { pathType: 'Regex' },
      { path: '' },
      { path: 'a' },
      { path: '/a//b/./c/../d%2fe%2F' },
      { path: '/a/..', pathType: 'Exact' },
      { path: '/a/.' },
      { path: '', pathType: 'ImplementationSpecific' },
      { path: 'a', pathType: 'ImplementationSpecific' },
      { path: '/a//b', pathType: 'ImplementationSpecific' },
    );
  }),

  testCase('a backend of an Ingress is a Service or another object', async (api) => {
    await tryPaths(
      api,
      { backend: {} },
      { backend: undefined },
      { backend: { ...backend, resource: { kind: 'Bucket', name: 'a' } } },
      { backend: { resource: { kind: 'Bucket', name: 'a', apiGroup: 'example.com' } } },
      { backend: { resource: { kind: '', name: '' } } },
      { backend: { resource: { kind: 'a/b', name: '..', apiGroup: 'No_Group' } } },
      service({}),
      service({ port: {} }),
      service({ port: { name: 'http', number: 80 } }),
      service({ port: { name: 'http' } }),
      service({ port: { name: 'Not_A-Port--Name' } }),
      service({ port: { number: 70_000 } }),
      service({ name: '', port: { number: -1 } }),
      service({ name: 'No_Name', port: { number: 1 } }),
      service({ name: '1-is-fine', port: { number: 1 } }),
    );
    await trySpecs(api, { defaultBackend: {} }, { defaultBackend: { service: { name: 'web' } } });
  }),

  testCase('hosts of an Ingress are DNS names', async (api) => {
    const hosts = [
      '192.0.2.1',
      '192.0.02.1',
      '::1',
      'No.Host',
      '*.example.com',
      '*',
      'a.*.com',
      '*.*.com',
      'x'.repeat(254),
    ];
    await trySpecs(
      api,
      ...hosts.map((host) => ({ rules: [{ host, http }] })),
      { tls: [{ hosts: [...hosts, ''], secretName: 'No_Secret' }] },
      { tls: [{}] },
    );
  }),

  testCase('the class of an Ingress is a field, and once was an annotation', async (api) => {
    const annotated = { annotations: { 'kubernetes.io/ingress.class': 'old' } };
    await api.post(ingresses, ingress('a', { ingressClassName: undefined }, annotated));
    await api.post(ingresses, ingress('b', { ingressClassName: 'new' }, annotated));
    await api.post(ingresses, ingress('c', { ingressClassName: 'old' }, annotated));
    await api.patch('merge', `${ingresses}/c`, { spec: { ingressClassName: 'new' } });
    await api.patch('merge', `${ingresses}/a`, { metadata: { labels: { a: 'b' } } });
  }),

  testCase('an Ingress without a class gets the default one', async (api) => {
    const isDefault = { annotations: { 'ingressclass.kubernetes.io/is-default-class': 'true' } };
    const name = `${api.namespace}-default`;
    await api.post(classes, ingressClass(name, {}, isDefault));
    await api.catchUp();
    await api.post(ingresses, ingress('a', { ingressClassName: undefined }));
    await api.post(ingresses, ingress('b'));
    const annotated = { annotations: { 'kubernetes.io/ingress.class': 'old' } };
    await api.post(ingresses, ingress('c', { ingressClassName: undefined }, annotated));
    await api.table(`${classes}/${name}`);
    await api.delete(`${classes}/${name}`);
    await api.catchUp();
    await api.patch('merge', `${ingresses}/a`, { spec: { ingressClassName: null } });
  }),

  testCase('the status of an Ingress is written separately', async (api) => {
    await api.post(ingresses, ingress('a'));
    const write = (...list: readonly object[]) =>
      api.patch('merge', `${ingresses}/a/status`, {
        status: { loadBalancer: { ingress: list } },
        spec: { rules: null },
      });
    await write({ ip: '192.0.2.1', ports: [{ port: 80, protocol: 'TCP' }] }, { hostname: 'a.example.com' });
    await api.table(`${ingresses}/a`);
    await write({ ip: '192.0.2.999' }, { hostname: 'No_Host' }, { hostname: '192.0.2.1' });
    await write({ ip: '192.0.02.1' });
    await api.get(`${ingresses}/a/status`);
  }),

  testCase('Ingresses are shown as Tables', async (api) => {
    const rules = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ host: `${name}.example.com`, http }));
    await api.post(ingresses, ingress('a', { rules }));
    await api.post(ingresses, ingress('b', { rules: [{ http }], tls: [{ hosts: ['a.example.com'] }] }));
    await api.post(ingresses, ingress('c', { rules: rules.slice(0, 3) }));
    await api.table(ingresses);
  }),

  testCase('an Ingress class has a controller that stays', async (api) => {
    const path = `${classes}/${api.namespace}-a`;
    await api.post(
      classes,
      ingressClass(`${api.namespace}-a`, { parameters: { kind: 'Config', name: 'a', apiGroup: 'example.com' } }),
    );
    await api.patch('merge', path, { spec: { controller: 'example.com/other' } });
    await api.patch('merge', path, { spec: { parameters: { scope: 'Namespace', namespace: 'default' } } });
    await api.table(path);
    await tryClasses(
      api,
      { controller: '' },
      { controller: 'none' },
      { controller: '/none' },
      { controller: 'No_Domain/none' },
      { controller: 'example.com/no path' },
      { controller: `example.com/${'x'.repeat(250)}` },
      { parameters: {} },
      { parameters: { kind: 'a/b', name: '..', apiGroup: 'No_Group' } },
      { parameters: { kind: 'Config', name: 'a', scope: 'Everywhere' } },
      { parameters: { kind: 'Config', name: 'a', scope: 'Namespace' } },
      { parameters: { kind: 'Config', name: 'a', scope: 'Namespace', namespace: 'No_Namespace' } },
      { parameters: { kind: 'Config', name: 'a', scope: 'Cluster', namespace: 'default' } },
    );
    await api.post(
      classes,
      { apiVersion, kind: 'IngressClass', metadata: { name: `${api.namespace}-b` } },
      { dryRun: 'All' },
    );
  }),

  testCase('the networking group tells its resources', async (api) => {
    await api.get(`/apis/${apiVersion}`);
  }),
];
