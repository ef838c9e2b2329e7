// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Node } from '@forge/kube/kinds/builtin.ts';
import { certificateAuthority } from '@forge/pki/certificate-authority.ts';
import { issueClientCertificate, issueServerCertificate } from '@forge/pki/issue-certificate.ts';
import { networkConnector, type NodeConnector } from '../kubelet/node-connector.ts';

/** A fake kubelet on a real socket. */
export interface FakeKubelet extends AsyncDisposable {
  readonly server: Server;
  /** The node it belongs to. */
  readonly node: Node;
  readonly nodes: NodeConnector;
}

/** Starts a kubelet with this handler; it requires the API server's client certificate. */
export async function fakeKubelet(answer: RequestListener): Promise<FakeKubelet> {
  const validity = { now: Date.now(), validDays: 1 };
  const authority = certificateAuthority({ name: 'kubelets', ...validity });
  const serving = issueServerCertificate(authority, { names: [], addresses: ['127.0.0.1'], ...validity });
  const client = issueClientCertificate(authority, { user: 'api', groups: ['system:masters'], ...validity });
  const { cert: ca } = authority;
  const server = createServer({ ...serving, ca, requestCert: true }, answer);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    server,
    node: nodeAt('node-1', (server.address() as AddressInfo).port),
    nodes: { ...networkConnector, tls: { ca, ...client } },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A node whose kubelet listens on a local port. */
export function nodeAt(name: string, port: number): Node {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name },
    status: {
      addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
      daemonEndpoints: { kubeletEndpoint: { Port: port } },
    },
  };
}
