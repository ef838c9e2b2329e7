// SPDX-License-Identifier: Apache-2.0
import type { Pod } from '@forge/kube/kinds/builtin.ts';
import { as, grant, rule } from '../../conversation/callers.ts';
import { testCase, type ConformanceCase } from '../../conversation/conformance-case.ts';
import type { Conversation } from '../../conversation/conversation.ts';
import { pod } from '../../objects/objects.ts';
import { backendAddress } from '../../servers/backend-server.ts';

const http = { name: 'web', port: 80 };
const https = { name: 'secure', port: 443 };

function service(ports: readonly object[]) {
  return { apiVersion: 'v1', kind: 'Service', metadata: { name: 'a' }, spec: { ports } };
}

function endpoints(subsets: readonly object[]) {
  return { apiVersion: 'v1', kind: 'Endpoints', metadata: { name: 'a' }, subsets };
}

function addressOf({ namespace }: Conversation, name = 'p', ip = backendAddress.host) {
  return { ip, targetRef: { kind: 'Pod', name, namespace } };
}

/** A pod whose status has the backend's address. */
async function createPod(api: Conversation, name = 'p'): Promise<void> {
  const created = await api.post<Pod>('pods', pod(name));
  const { host: ip } = backendAddress;
  await api.put(`pods/${name}/status`, { ...created, status: { ...created.status, podIP: ip, podIPs: [{ ip }] } });
}

/** A Service of the backend, with these ports of its endpoints. */
async function createService(api: Conversation, ports = [{ name: 'web', port: backendAddress.http }]): Promise<void> {
  await createPod(api);
  await api.post('services', service([http]));
  await api.post('endpoints', endpoints([{ addresses: [addressOf(api)], ports }]));
  await api.startBackend();
}

/** Requests to Services through the API server. */
export const serviceProxies: readonly ConformanceCase[] = [
  testCase('a request to a Service that does not exist is not found', async (api) => {
    for (const name of ['a', 'a:80', 'a:web', 'https:a:443', 'http:a:', 'a:']) await api.get(`services/${name}/proxy/`);
    for (const name of ['ftp:a:80', ':80', 'a:b:c:d', 'https::443']) await api.get(`services/${name}/proxy/`);
    await api.post('services/a:80/proxy/x', { color: 'red' });
  }),

  testCase('a Service without ready endpoints is unavailable', async (api) => {
    await api.post('services', service([http]));
    for (const name of ['a', 'a:80', 'a:web']) await api.get(`services/${name}/proxy/`);
    await api.post('endpoints', endpoints([]));
    for (const name of ['a', 'a:80', 'a:web', 'https:a:web']) await api.get(`services/${name}/proxy/`);
    const ports = [{ name: 'web', port: backendAddress.http }];
    await createPod(api);
    await api.put('endpoints/a', endpoints([{ notReadyAddresses: [addressOf(api)], ports }]));
    for (const name of ['a', 'a:80', 'a:web', 'https:a:web']) await api.get(`services/${name}/proxy/`);
  }),

  testCase('a port that a Service does not have is unavailable', async (api) => {
    await createService(api);
    for (const name of ['a:81', 'a:other', 'a:080', 'a:+80', 'a:-1', 'a:99999999999999999999', 'a:8080', 'a']) {
      await api.get(`services/${name}/proxy/`);
    }
  }),

  testCase('a Service with an unnamed port needs no port', async (api) => {
    await createPod(api);
    await api.post('services', service([{ port: 80 }]));
    await api.post('endpoints', endpoints([{ addresses: [addressOf(api)], ports: [{ port: backendAddress.http }] }]));
    await api.startBackend();
    for (const name of ['a', 'a:', 'a:80', 'http:a:', 'a:web']) await api.get(`services/${name}/proxy/x`);
  }),

  testCase('only pods of the namespace with that address are proxied to', async (api) => {
    await createPod(api);
    await api.post('pods', pod('without-address'));
    await api.post('services', service([http]));
    await api.startBackend();
    const ports = [{ name: 'web', port: backendAddress.http }];
    await api.post('endpoints', endpoints([{ addresses: [{ ip: backendAddress.host }], ports }]));
    await api.get('services/a:80/proxy/x');
    for (const address of [
      addressOf(api, 'none'),
      addressOf(api, 'without-address'),
      addressOf(api, 'p', '192.0.2.2'),
      { ip: backendAddress.host, targetRef: { kind: 'Pod', name: 'p', namespace: 'default' } },
      { ip: backendAddress.host, targetRef: { kind: 'Node', name: 'p', namespace: api.namespace } },
    ]) {
      await api.put('endpoints/a', endpoints([{ addresses: [address], ports }]));
      await api.get('services/a:80/proxy/x');
    }
    const both = [addressOf(api, 'none', '192.0.2.3'), addressOf(api)];
    await api.put('endpoints/a', endpoints([{ addresses: both, ports }]));
    await api.get('services/a:80/proxy/x');
  }),

  testCase('requests to a Service are forwarded with method, path, query, headers and body', async (api) => {
    await createService(api);
    const path = 'services/a:80/proxy/v3/things';
    await api.get(path, { color: 'red & blue', path: '/other' });
    await api.post(path, { color: 'red' });
    await api.post(path, undefined);
    await api.put(path, 'plain text', {}, { 'content-type': 'text/plain' });
    await api.patch('merge', path, { color: null });
    await api.delete(path);
    await api.delete(path, { color: 'red' });
    await api.call('OPTIONS', path);
    await api.call('HEAD', path);
    const own = { 'x-auth-token': 'one', accept: 'text/html', te: 'trailers', 'proxy-authorization': 'none' };
    await api.get(path, {}, own);
    await api.get(path, {}, { ...as('ann', 'system:masters'), 'x-forwarded-for': '192.0.2.9', 'x-forwarded-uri': '/' });
  }),

  testCase('the path of a request to a Service is forwarded decoded once', async (api) => {
    await createService(api);
    const paths = ['/x/', '/', '//x', '/x//y//', '/a%20b', '/a%2Fb', '/a%252Fb', '/caf%C3%A9', "/a(b)!'*~;=@$&+,:"];
    for (const path of [...paths, '/x/../y', '/x/./y', '/%2e%2e/y', '/..', '/x/..', '/[1]', '/a|b']) {
      await api.get(`services/a:80/proxy${path}`);
    }
  }),

  testCase('the root of a Service has a slash', async (api) => {
    await createService(api);
    await api.get('services/a:80/proxy');
    await api.get('services/a:80/proxy', { color: 'red' });
    await api.call('HEAD', 'services/a:80/proxy');
    await api.post('services/a:80/proxy', { color: 'red' });
    await api.delete('services/a:80/proxy');
  }),

  testCase('answers of a Service are passed on', async (api) => {
    await createService(api);
    const path = 'services/a:80/proxy';
    for (const code of [201, 400, 401, 404, 409, 500, 503]) await api.get(`${path}/status/${code}`);
    await api.get(`${path}/text`, {}, { accept: 'application/yaml' });
    await api.get(`${path}/status/200`, {}, { accept: 'application/vnd.kubernetes.protobuf' });
    for (const location of [
      '/x?y=z',
      '/x/',
      'x',
      '',
      `http://${backendAddress.host}:${backendAddress.http}/x`,
      'http://example.com/x',
    ]) {
      await api.get(`${path}/redirect/${encodeURIComponent(encodeURIComponent(location))}`);
    }
  }),

  testCase('a Service that cannot be reached is unavailable', async (api) => {
    await createService(api, [
      { name: 'web', port: 1 },
      { name: 'plain', port: backendAddress.http },
      { name: 'secure', port: backendAddress.https },
    ]);
    await api.get('services/a:80/proxy/x');
    await api.post('services/a:80/proxy/x', { color: 'red' });
    await api.post('services/https:a:web/proxy/x', { color: 'red' });
    await api.post('services/a:plain/proxy/hang-up', { color: 'red' });
    await api.get('services/https:a:plain/proxy/x');
  }),

  testCase('a Service is asked over TLS without verifying its certificate', async (api) => {
    await createPod(api);
    await api.post('services', service([https]));
    const ports = [{ name: 'secure', port: backendAddress.https }];
    await api.post('endpoints', endpoints([{ addresses: [addressOf(api)], ports }]));
    await api.startBackend();
    await api.get('services/https:a:secure/proxy/x');
    await api.post('services/https:a:443/proxy/x', { color: 'red' });
  }),

  testCase('every method on services/proxy needs its own verb', async (api) => {
    await createService(api);
    const path = 'services/a:80/proxy/x';
    await api.get(path, {}, as('ann'));
    await api.get('services/a:80/proxy', {}, as('ann'));
    await grant(api, 'reader', 'ann', rule('services/proxy', 'get'));
    await grant(api, 'writer', 'bob', rule('services/proxy', 'create', 'update', 'patch', 'delete'));
    await grant(api, 'services', 'eve', rule('services', '*'));
    await grant(api, 'named', 'tom', { ...rule('services/proxy', 'get'), resourceNames: ['a:80'] });
    await api.catchUp();
    for (const user of ['ann', 'bob', 'eve']) {
      await api.get(path, {}, as(user));
      await api.call('HEAD', path, as(user));
      await api.post(path, {}, {}, as(user));
      await api.put(path, {}, {}, as(user));
      await api.patch('merge', path, {}, {}, as(user));
      await api.delete(path, undefined, {}, as(user));
      await api.call('OPTIONS', path, as(user));
    }
    await api.get(path, {}, as('tom'));
    await api.get('services/a:web/proxy/x', {}, as('tom'));
  }),

  testCase('a webhook is asked about requests to a Service', async (api) => {
    await createService(api);
    const rules = [{ operations: ['CONNECT'], apiGroups: [''], apiVersions: ['v1'], resources: ['services/proxy'] }];
    await api.hooks.create('validating', 'v', { answer: 'deny', rules });
    await api.get('services/a:80/proxy/x/y/', { color: 'red' });
    await api.post('services/a:80/proxy', { color: 'red' });
    await api.put('services/none/proxy/x', { color: 'red' });
    await api.hooks.received();
  }),

  testCase('a connection has no dry run', async (api) => {
    await createService(api);
    await api.get('services/a:80/proxy/x', { dryRun: 'All' });
    await api.post('services/a:80/proxy/x', {}, { dryRun: 'nonsense' });
    await api.post('pods/p/exec', undefined, { command: 'ls', dryRun: 'All' });
    await api.post('pods/p/portforward', undefined, { dryRun: 'All' });
  }),

  testCase('a path below another subresource is not found', async (api) => {
    await createService(api);
    await api.get('services/a/status/x');
    await api.get('pods/p/log/x');
    await api.get('services/a/nothing/x');
    await api.get('configmaps/a/proxy/x');
  }),
];
