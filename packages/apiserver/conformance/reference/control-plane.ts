// SPDX-License-Identifier: Apache-2.0
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Connection } from '@forge/kube/client/connection.ts';
import { startChild, type Child } from './child.ts';
import { freePorts } from './free-ports.ts';

/** Flags of a program, by name. */
export type Flags = Readonly<Record<string, string>>;

/** Options of a control plane. */
export interface ControlPlaneOptions {
  /** The folder of the programs. */
  binaries: string;
  /** An empty folder for its files. */
  folder: string;
  /** Further flags of kube-apiserver. */
  serverFlags: Flags;
  /** Flags of kube-controller-manager besides those of its connection. */
  managerFlags: Flags;
  /** The serving certificate and its CA. Default: a self-signed certificate of kube-apiserver. */
  tls?: { ca: string; cert: string; key: string };
}

/** etcd, kube-apiserver and kube-controller-manager. */
export interface ControlPlane {
  port: number;
  /** As administrator. */
  connection: Connection & { ca: string; token: string };
  /** The kubeconfig file of the administrator. */
  kubeconfig: string;
  stop: () => Promise<void>;
}

const token = 'contract';
/** Readable without authentication. */
const publicPaths = ['/healthz', '/livez', '/readyz', '/version'];
const pollInterval = 50;

/** Starts a control plane on free ports; resolves when kube-apiserver is ready. */
export async function startControlPlane(options: ControlPlaneOptions): Promise<ControlPlane> {
  const { binaries, folder, tls } = options;
  await mkdir(folder, { recursive: true });
  const [etcdPort, peerPort, port] = await freePorts(3);
  const etcd = `http://127.0.0.1:${etcdPort}`;
  const peer = `http://127.0.0.1:${peerPort}`;
  const children: Child[] = [];
  const start = (program: string, flags: Flags): void => {
    const args = Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
    children.push(startChild(join(binaries, program), args));
  };
  const stop = async (): Promise<void> => {
    for (const child of children.toReversed()) await child.stop();
  };
  try {
    const files = await writeFiles(folder, port, tls);
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
      // Nothing is compacted: it runs for minutes.
      'etcd-compaction-interval': '0',
      'bind-address': '127.0.0.1',
      'secure-port': String(port),
      'cert-dir': folder,
      'service-cluster-ip-range': '10.96.0.0/16',
      // Loopback addresses are not valid endpoints.
      'endpoint-reconciler-type': 'none',
      'authorization-mode': 'Node,RBAC',
      'enable-admission-plugins': 'NodeRestriction',
      'allow-privileged': 'true',
      'authentication-config': files.authentication,
      'token-auth-file': files.tokens,
      'service-account-issuer': 'https://kubernetes.default.svc.cluster.local',
      'service-account-key-file': files.signingKey,
      'service-account-signing-key-file': files.signingKey,
      ...(tls !== undefined && { 'tls-cert-file': files.cert, 'tls-private-key-file': files.key }),
      ...options.serverFlags,
    });
    while (!(await isReady(port))) {
      throwIfEnded(children);
      await setTimeout(pollInterval);
    }
    start('kube-controller-manager', {
      kubeconfig: files.kubeconfig,
      'leader-elect': 'false',
      'secure-port': '0',
      'service-account-private-key-file': files.signingKey,
      'kube-api-qps': '500',
      'kube-api-burst': '500',
      ...options.managerFlags,
    });
    const ca = await readFile(files.ca, 'utf8');
    const connection = { server: `https://127.0.0.1:${port}`, ca, token };
    return { port, connection, kubeconfig: files.kubeconfig, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function writeFiles(folder: string, port: number, tls: ControlPlaneOptions['tls']) {
  const at = (name: string) => join(folder, name);
  const files = {
    tokens: at('tokens.csv'),
    signingKey: at('service-accounts.key'),
    kubeconfig: at('kubeconfig'),
    authentication: at('authentication.json'),
    // When none is given, kube-apiserver writes its own certificate.
    ca: at(tls === undefined ? 'apiserver.crt' : 'ca.crt'),
    cert: at('serving.crt'),
    key: at('serving.key'),
  };
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  await writeFile(files.tokens, `${token},kubernetes-admin,kubernetes-admin,system:masters\n`);
  await writeFile(files.authentication, JSON.stringify(anonymousAccess));
  await writeFile(files.signingKey, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  await writeFile(files.kubeconfig, JSON.stringify(kubeconfigOf(port, files.ca)), { mode: 0o600 });
  if (tls !== undefined) {
    await writeFile(files.ca, tls.ca);
    await writeFile(files.cert, tls.cert);
    await writeFile(files.key, tls.key, { mode: 0o600 });
  }
  return files;
}

const anonymousAccess = {
  apiVersion: 'apiserver.config.k8s.io/v1',
  kind: 'AuthenticationConfiguration',
  anonymous: { enabled: true, conditions: publicPaths.map((path) => ({ path })) },
};

function kubeconfigOf(port: number, ca: string): object {
  const cluster = { server: `https://127.0.0.1:${port}`, 'certificate-authority': ca };
  return {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'contract',
    contexts: [{ name: 'contract', context: { cluster: 'contract', user: 'contract' } }],
    clusters: [{ name: 'contract', cluster }],
    users: [{ name: 'contract', user: { token } }],
  };
}

/** Whether the server reports that it is ready; the request contains no credentials. */
async function isReady(port: number): Promise<boolean> {
  try {
    const request = get({ host: '127.0.0.1', port, path: '/readyz', rejectUnauthorized: false, agent: false });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.resume();
    return response.statusCode === 200;
  } catch {
    return false;
  }
}

function throwIfEnded(children: readonly Child[]): void {
  for (const child of children) {
    const why = child.ended();
    if (why !== undefined) throw new Error(why);
  }
}
