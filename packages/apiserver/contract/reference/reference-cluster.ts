// SPDX-License-Identifier: Apache-2.0
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Connection } from '@forge/kube/client/connection.ts';
import { backendAddress, lazyBackendServer } from '../backend/backend-server.ts';
import { lazyWebhookServer } from '../webhooks/webhook-server.ts';
import { httpsWire } from '../wires/https-wire.ts';
import type { Wire } from '../wires/wire.ts';
import { startChild, type Child } from './child.ts';
import { freePorts } from './free-ports.ts';

/** A real Kubernetes without nodes: etcd, kube-apiserver, and the controllers that the API depends on. */
export interface ReferenceCluster {
  wire: Wire;
  /** For other clients. */
  connection: Connection;
  /** The folder of its binaries. */
  binaries: string;
  stop(): Promise<void>;
}

/**
 * Workload controllers and the root CA publisher are disabled: they would write into the rows' namespaces
 * asynchronously.
 */
const apiControllers = [
  'garbage-collector-controller',
  'namespace-controller',
  'serviceaccount-controller',
  'clusterrole-aggregation-controller',
  'validatingadmissionpolicy-status-controller',
];

const token = 'contract';
/** Public endpoint. */
const publicPaths = ['/healthz', '/livez', '/readyz', '/version'];

/** Which controllers run in a reference cluster, and how. */
export interface ReferenceOptions {
  /** Default: those that the API depends on. */
  controllers?: readonly string[];
  /** Further flags of kube-controller-manager. */
  managerFlags?: Readonly<Record<string, string>>;
}

/** Starts a cluster from these binaries, on free ports and in a temporary folder. */
export async function startReferenceCluster(
  binaries: string,
  { controllers = apiControllers, managerFlags = {} }: ReferenceOptions = {},
): Promise<ReferenceCluster> {
  const folder = await mkdtemp(join(tmpdir(), 'forge-contract-'));
  const [etcdPort, peerPort, port] = await freePorts(3);
  const etcd = `http://127.0.0.1:${etcdPort}`;
  const peer = `http://127.0.0.1:${peerPort}`;
  const children: Child[] = [];
  const { webhooks, closeWebhooks } = lazyWebhookServer();
  const { backend, closeBackend } = lazyBackendServer('pod address');
  const start = (program: string, options: Record<string, string>): void => {
    const args = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
    children.push(startChild(join(binaries, program), args));
  };
  const stop = async (): Promise<void> => {
    for (const child of children.toReversed()) await child.stop();
    await closeWebhooks();
    await closeBackend();
    await rm(folder, { recursive: true, force: true });
  };

  try {
    const files = await writeFiles(folder, port);
    start('etcd', {
      'data-dir': join(folder, 'etcd'),
      'listen-client-urls': etcd,
      'advertise-client-urls': etcd,
      'listen-peer-urls': peer,
      'initial-advertise-peer-urls': peer,
      'initial-cluster': `default=${peer}`,
      'unsafe-no-fsync': 'true',
    });
    start('kube-apiserver', {
      'etcd-servers': etcd,
      // No compaction while recording.
      'etcd-compaction-interval': '0',
      'bind-address': '127.0.0.1',
      'advertise-address': backendAddress.host,
      'secure-port': String(port),
      'cert-dir': folder,
      'service-cluster-ip-range': '10.96.0.0/16',
      // Loopback addresses are not valid endpoints.
      'endpoint-reconciler-type': 'none',
      'authorization-mode': 'RBAC',
      'allow-privileged': 'true',
      'authentication-config': files.authentication,
      'token-auth-file': files.tokens,
      'service-account-issuer': 'https://kubernetes.default.svc.cluster.local',
      'service-account-key-file': files.key,
      'service-account-signing-key-file': files.key,
    });
    const ca = await whenThere(join(folder, 'apiserver.crt'), children);
    const wire = httpsWire({ port, ca, token, webhooks, backend });
    await wire.until(async () => isReady(wire, children));
    start('kube-controller-manager', {
      kubeconfig: files.kubeconfig,
      controllers: controllers.join(','),
      'leader-elect': 'false',
      'secure-port': '0',
      'service-account-private-key-file': files.key,
      'kube-api-qps': '500',
      'kube-api-burst': '500',
      ...managerFlags,
    });
    return { wire, connection: { server: `https://127.0.0.1:${port}`, ca, token }, binaries, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function writeFiles(
  folder: string,
  port: number,
): Promise<Record<'tokens' | 'key' | 'kubeconfig' | 'authentication', string>> {
  const files = {
    tokens: join(folder, 'tokens.csv'),
    key: join(folder, 'service-accounts.key'),
    kubeconfig: join(folder, 'kubeconfig'),
    authentication: join(folder, 'authentication.json'),
  };
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  await writeFile(files.tokens, `${token},kubernetes-admin,kubernetes-admin,system:masters\n`);
  await writeFile(
    files.authentication,
    JSON.stringify({
      apiVersion: 'apiserver.config.k8s.io/v1',
      kind: 'AuthenticationConfiguration',
      anonymous: { enabled: true, conditions: publicPaths.map((path) => ({ path })) },
    }),
  );
  await writeFile(files.key, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  await writeFile(
    files.kubeconfig,
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'contract',
      contexts: [{ name: 'contract', context: { cluster: 'contract', user: 'contract' } }],
      clusters: [
        {
          name: 'contract',
          cluster: { server: `https://127.0.0.1:${port}`, 'certificate-authority': join(folder, 'apiserver.crt') },
        },
      ],
      users: [{ name: 'contract', user: { token } }],
    }),
  );
  return files;
}

/** Waits for the server's self-signed certificate. */
async function whenThere(file: string, children: readonly Child[]): Promise<string> {
  for (;;) {
    throwIfEnded(children);
    const text = await readFile(file, 'utf8').catch(() => '');
    if (text.includes('END CERTIFICATE')) return text;
    await setTimeout(50);
  }
}

async function isReady(wire: Wire, children: readonly Child[]): Promise<boolean> {
  throwIfEnded(children);
  const answer = await wire.send({ method: 'GET', path: '/readyz', query: {}, headers: {} }).catch(() => undefined);
  await answer?.body[Symbol.asyncIterator]().return?.();
  return answer?.status === 200;
}

function throwIfEnded(children: readonly Child[]): void {
  for (const child of children) {
    const why = child.ended();
    if (why !== undefined) throw new Error(why);
  }
}
