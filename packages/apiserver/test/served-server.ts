// SPDX-License-Identifier: Apache-2.0
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { client, type Client } from '@forge/kube/client/client.ts';
import { certificateAuthority } from '@forge/pki/certificate-authority.ts';
import type { KeyPair } from '@forge/pki/certificate.ts';
import { issueClientCertificate, issueServerCertificate } from '@forge/pki/issue-certificate.ts';
import { systemClock } from '@forge/runtime/environment/clock.ts';
import { systemRandom } from '@forge/runtime/environment/random.ts';
import { apiServer, type ApiServer } from '../api-server.ts';
import { faultInjector, type FaultInjector } from '../faults/fault-injector.ts';
import { inProcessTransport } from '../wire/in-process-transport.ts';
import { serve } from '../wire/serve.ts';

/** An API server on real time that serves HTTPS. */
export interface ServedServer extends AsyncDisposable {
  server: ApiServer;
  /** Faults between the server and HTTPS clients. */
  line: FaultInjector;
  client: Client;
  /** A temporary folder. */
  folder: string;
  /** The administrator's kubeconfig. */
  kubeconfig: string;
}

/** Starts an API server on a free local port. */
export async function servedServer(): Promise<ServedServer> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'forge-served-'));
  stack.defer(() => rm(folder, { recursive: true }));
  const validity = { now: systemClock.now(), validDays: 1 };
  const authority = certificateAuthority({ name: 'test', ...validity });
  const names = { names: ['localhost'], addresses: ['127.0.0.1'] };
  const { cert, key } = issueServerCertificate(authority, { ...names, ...validity });
  const admin = issueClientCertificate(authority, { user: 'admin', groups: ['system:masters'], ...validity });

  const server = await apiServer({
    clock: systemClock,
    random: systemRandom,
    serviceAccounts: { signingKey: key },
  });
  stack.defer(() => server.close());
  const line = faultInjector(server);
  const listening = await serve(line, { port: 0, tls: { cert, key, clientCa: authority.cert } });
  stack.defer(() => listening.close());
  const kubeconfig = join(folder, 'kubeconfig');
  await writeFile(kubeconfig, JSON.stringify(loginOf(listening.port, authority.cert, admin)), { mode: 0o600 });
  const owned = stack.move();
  return {
    server,
    line,
    client: client(inProcessTransport(server)),
    folder,
    kubeconfig,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function loginOf(port: number, ca: string, admin: KeyPair): object {
  const cluster = { server: `https://127.0.0.1:${port}`, 'certificate-authority-data': encoded(ca) };
  const user = { 'client-certificate-data': encoded(admin.cert), 'client-key-data': encoded(admin.key) };
  return {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'test',
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'admin' } }],
    clusters: [{ name: 'test', cluster }],
    users: [{ name: 'admin', user }],
  };
}

function encoded(pem: string): string {
  return Buffer.from(pem).toString('base64');
}
