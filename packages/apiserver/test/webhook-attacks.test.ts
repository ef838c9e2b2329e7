// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createPlainServer, type RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { describe, test, type TestContext } from 'node:test';
import { ConfigMap, MutatingWebhookConfiguration } from '@forge/kube/kinds/builtin.ts';
import { certificateAuthority } from '@forge/pki/certificate-authority.ts';
import { issueServerCertificate } from '@forge/pki/issue-certificate.ts';
import { configMap } from './objects.ts';
import { testServer } from './test-server.ts';

const validity = { now: Date.now(), validDays: 1 };
const authority = certificateAuthority({ name: 'test', ...validity });
const serving = issueServerCertificate(authority, { names: [], addresses: ['127.0.0.1'], ...validity });

async function listen(context: TestContext, server: Server & { closeAllConnections(): void }): Promise<number> {
  context.after(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

/** An API server with a webhook that responds as given. */
async function serverWith(context: TestContext, answer: RequestListener) {
  const port = await listen(context, createServer(serving, answer));
  const { api } = await testServer();
  await api.create(MutatingWebhookConfiguration, {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingWebhookConfiguration',
    metadata: { name: 'hooks' },
    webhooks: [
      {
        name: 'a.example.com',
        clientConfig: {
          url: `https://127.0.0.1:${port}/`,
          caBundle: Buffer.from(authority.cert).toString('base64'),
        },
        rules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['configmaps'] }],
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      },
    ],
  });
  return api;
}

describe('a hostile webhook', () => {
  test('cannot redirect the server to other services on its host', async (context) => {
    let requests = 0;
    const victim = await listen(
      context,
      createPlainServer((_, response) => {
        requests += 1;
        response.end();
      }),
    );
    const location = `http://127.0.0.1:${victim}/admin`;
    const api = await serverWith(context, (_, response) => response.writeHead(307, { location }).end());
    await assert.rejects(api.create(ConfigMap, configMap('a')), /leads away from the webhook/);
    assert.equal(requests, 0);
  });

  test('cannot exhaust the memory of the server', async (context) => {
    let sent = 0;
    const chunk = Buffer.alloc(65_536, ' ');
    const api = await serverWith(context, (_, response) => {
      const send = (): void => {
        while (!response.destroyed && response.write(chunk)) sent += chunk.length;
      };
      response.on('drain', send);
      send();
    });
    await assert.rejects(api.create(ConfigMap, configMap('a')), /response is too large: limit is 3145728 bytes/);
    assert.ok(sent < 50e6, `${sent} bytes were sent`);
  });
});
