// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import { connect as connectTcp, type AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import type { Status } from '@forge/kube/api-error.ts';
import { Pod } from '@forge/kube/builtin.ts';
import { certificateAuthority, type KeyPair } from '@forge/pki/certificate-authority.ts';
import { issueClientCertificate, issueServerCertificate } from '@forge/pki/issue-certificate.ts';
import type { NodeConnector } from './node-connector.ts';
import { pod } from './test/objects.ts';
import { testServer } from './test/test-server.ts';

function twoContainers(): Pod {
  const one = pod('two', 'node-1');
  const containers = [
    { name: 'main', image: 'x' },
    { name: 'side', image: 'x' },
  ];
  return { ...one, spec: { ...one.spec, containers, initContainers: [{ name: 'first', image: 'x' }] } };
}

describe('pod logs', () => {
  const validity = { now: Date.now(), validDays: 1 };
  const user = { name: 'admin', groups: ['system:masters'] };
  let authority: KeyPair;
  let client: KeyPair;
  let kubelet: Server;

  before(async () => {
    authority = await certificateAuthority({ name: 'test', ...validity });
    client = await issueClientCertificate(authority, { user: 'apiserver', groups: ['system:masters'], ...validity });
    const serving = await issueServerCertificate(authority, { names: ['node-1'], addresses: [], ...validity });
    const tls = { cert: serving.cert, key: serving.key, ca: authority.cert, requestCert: true };
    kubelet = createServer(tls, (request, response) => {
      if (request.url?.includes('quiet') === true) response.writeHead(404).end('no such log\n');
      else response.end(`log of ${request.url}\n`);
    });
    kubelet.listen(0, '127.0.0.1');
    await once(kubelet, 'listening');
  });
  after(() => {
    kubelet.closeAllConnections();
    kubelet.close();
  });

  function nodes(): NodeConnector {
    return {
      async connect(nodeName) {
        if (nodeName !== 'node-1') throw new Error(`dial tcp: lookup ${nodeName}: no such host`);
        const socket = connectTcp((kubelet.address() as AddressInfo).port, '127.0.0.1');
        await once(socket, 'connect');
        return socket;
      },
      tls: { ca: authority.cert, cert: client.cert, key: client.key },
    };
  }

  async function logs(of: Pod, query: Record<string, string> = {}): Promise<{ status: number; text: string }> {
    const { api, server } = await testServer({ nodes: nodes() });
    await api.create(Pod, of);
    const path = `/api/v1/namespaces/default/pods/${of.metadata.name}/log`;
    const response = await server.handle({ method: 'GET', path, query, headers: {}, user });
    if ('bytes' in response) {
      const chunks = await Array.fromAsync(response.bytes);
      return { status: response.status, text: Buffer.concat(chunks).toString() };
    }
    assert.ok('payload' in response);
    return { status: response.status, text: (response.payload.value as Status).message ?? '' };
  }

  test('are passed on from the node, for the only container or the one named', async () => {
    const plain = await logs(pod('a', 'node-1'), { tailLines: '5', pretty: 'true' });
    assert.deepEqual(plain, { status: 200, text: 'log of /containerLogs/default/a/main?tailLines=5\n' });
    const named = await logs(twoContainers(), { container: 'first' });
    assert.equal(named.text, 'log of /containerLogs/default/two/first?\n');
  });

  test('of several containers need a name', async () => {
    assert.deepEqual(await logs(twoContainers()), {
      status: 400,
      text: 'a container name must be specified for pod two, choose one of: [main side] or one of the init containers: [first]',
    });
    assert.deepEqual(await logs(twoContainers(), { container: 'none' }), {
      status: 400,
      text: 'container none is not valid for pod two',
    });
  });

  test('are told apart when there is no node, no log, or no way to the node', async () => {
    assert.deepEqual(await logs(pod('a')), { status: 400, text: 'pod a does not have a host assigned' });
    assert.deepEqual(await logs(pod('quiet', 'node-1')), { status: 400, text: 'no such log' });
    const away = await logs(pod('a', 'node-2'));
    assert.equal(away.status, 500);
    assert.match(
      away.text,
      /Get "https:\/\/node-2:10250\/containerLogs\/default\/a\/main\?": dial tcp: lookup node-2: no such host$/,
    );
  });
});
