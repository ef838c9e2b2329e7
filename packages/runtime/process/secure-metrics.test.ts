// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { apiServer, type ApiServer } from '@forge/apiserver/api-server.ts';
import { inProcessTransport } from '@forge/apiserver/wire/in-process-transport.ts';
import { client } from '@forge/kube/client/client.ts';
import { ConfigMap, Secret } from '@forge/kube/kinds/builtin.ts';
import { certificateAuthority } from '@forge/pki/certificate-authority.ts';
import { issueServerCertificate } from '@forge/pki/issue-certificate.ts';
import { seconds } from '../environment/duration.ts';
import { seededRandom } from '../environment/seeded-random.ts';
import { virtualClock, type VirtualClock } from '../environment/virtual-clock.ts';
import { metricsReader } from '../manifests/operator-roles.ts';
import type { ProcessHost } from './process-host.ts';
import { runOperator, type Operator } from './run-operator.ts';
import { createAccount, grantMetrics } from './test/scraper.ts';

const operator: Operator = {
  name: 'paint-operator',
  description: 'Paints what is there.',
  version: '1.2.3',
  kinds: [],
  controllers: () => [{ name: 'painter', for: ConfigMap, reconcile: async () => undefined }],
};

const kubeconfig = `
current-context: c
contexts: [{ name: c, context: { cluster: c } }]
clusters: [{ name: c, cluster: { server: 'https://127.0.0.1:1' } }]
`;
const secretRef = { namespace: 'default', name: 'paint-operator-metrics-cert' };
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const signingKey = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

/** Whom a certificate is for. */
const serverName = 'paint-operator.default.svc';

async function scrape(port: number, ca: string, token?: string, { method = 'GET', servername = serverName } = {}) {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const sent = request({
    host: '127.0.0.1',
    port,
    path: '/metrics',
    method,
    servername,
    ca,
    headers,
    agent: false,
  }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode, text: (await response.setEncoding('utf8').toArray()).join('') };
}

describe('metrics with --metrics-secure', () => {
  let clock: VirtualClock;
  let server: ApiServer;
  let end: AbortController;
  let output: string;
  let ended: Promise<number>;

  beforeEach(async () => {
    // TLS uses the real time.
    clock = virtualClock(Date.now());
    server = await apiServer({ clock, random: seededRandom(), serviceAccounts: { signingKey } });
    end = new AbortController();
    output = '';
  });

  afterEach(async () => {
    end.abort();
    assert.equal(await ended, 0);
    await server.close();
  });

  const api = () => client(inProcessTransport(server));

  async function start(args: readonly string[], files: Readonly<Record<string, string>> = {}): Promise<number> {
    const host: ProcessHost = {
      args: ['--metrics-bind-address=127.0.0.1:0', '--health-probe-bind-address=0', '--metrics-secure', ...args],
      environment: { KUBECONFIG: '/config' },
      hostname: 'here',
      clock,
      random: seededRandom(),
      readFile: async (path) => ({ '/config': kubeconfig, ...files })[path] ?? Promise.reject(new Error(`no ${path}`)),
      print: () => {},
      output: { write: (line) => void (output += line), isTerminal: false },
      connect: () => ({ ...inProcessTransport(server), close: async () => {} }),
      usage: () => ({ cpuSeconds: 1.5, residentBytes: 42, startSeconds: 7 }),
      shutdown: end.signal,
    };
    ended = runOperator(operator, host);
    await clock.until(() => output.includes('starting paint-operator'));
    const [line = ''] = output.split('\n');
    return (JSON.parse(line) as { metricsPort: number }).metricsPort;
  }

  test('are served over HTTPS, with a certificate of its own, to those who may get them', async () => {
    const port = await start(['--pod-namespace=default']);
    await clock.until(async () => (await api().find(Secret, secretRef)) !== undefined);
    await clock.settle();
    const { data = {} } = await api().get(Secret, secretRef);
    const ca = Buffer.from(data['ca.crt'] ?? '', 'base64').toString();
    assert.deepEqual(await scrape(port, ca), { status: 401, text: 'Unauthorized\n' });
    const token = await createAccount(api());
    const { status, text } = await scrape(port, ca, token);
    assert.equal(status, 403);
    assert.doesNotMatch(text, /process_cpu_seconds_total/);
    assert.equal((await scrape(port, ca, token, { method: 'HEAD' })).status, 403);
    await grantMetrics(api(), metricsReader(operator.name));
    await clock.advance(seconds(10));
    const page = await scrape(port, ca, token);
    assert.equal(page.status, 200);
    assert.match(page.text, /^process_cpu_seconds_total 1\.5$/m);
    await assert.rejects(fetch(`http://127.0.0.1:${port}/metrics`));
  });

  test('are served with the certificate of a folder when there is one', async () => {
    const authority = certificateAuthority({ name: 'test', now: Date.now(), validDays: 1 });
    const names = { names: ['metrics.example'], addresses: [], now: Date.now(), validDays: 1 };
    const { cert, key } = issueServerCertificate(authority, names);
    const port = await start(['--metrics-cert-dir=/certs'], { '/certs/tls.crt': cert, '/certs/tls.key': key });
    assert.equal((await scrape(port, authority.cert, undefined, { servername: 'metrics.example' })).status, 401);
    assert.equal(await api().find(Secret, secretRef), undefined);
  });
});
