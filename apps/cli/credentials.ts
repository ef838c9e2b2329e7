// SPDX-License-Identifier: Apache-2.0
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addresses } from '@forge/cluster/node/addresses.ts';
import { certificateAuthority, type KeyPair } from '@forge/pki/certificate-authority.ts';
import { issueClientCertificate, issueServerCertificate } from '@forge/pki/issue-certificate.ts';
import type { Clock } from '@forge/runtime/clock.ts';
import { kubernetesServiceAddress, nodeName } from './topology.ts';

/** Everybody who speaks TLS in a local cluster. */
export interface Credentials {
  /** PEM of the authority that signed the others. */
  ca: string;
  apiServer: KeyPair;
  /** The API server as a client of the kubelet. */
  kubeletClient: KeyPair;
  admin: KeyPair;
  node: KeyPair;
  kubelet: KeyPair;
}

/** The authority of the data folder, made once and kept; what it signs is made anew at every start. */
export async function clusterCredentials(dir: string, clock: Clock): Promise<Credentials> {
  const authority = await keptAuthority(dir, clock);
  const validity = { now: clock.now(), validDays: 365 };
  const client = (user: string, groups: string[]) => issueClientCertificate(authority, { ...validity, user, groups });
  const [apiServer, kubeletClient, admin, node, kubelet] = await Promise.all([
    issueServerCertificate(authority, {
      ...validity,
      names: [
        'kubernetes',
        'kubernetes.default',
        'kubernetes.default.svc',
        'kubernetes.default.svc.cluster.local',
        'localhost',
      ],
      addresses: ['127.0.0.1', kubernetesServiceAddress],
    }),
    client('kube-apiserver-kubelet-client', ['system:masters']),
    client('kubernetes-admin', ['system:masters']),
    client(`system:node:${nodeName}`, ['system:nodes']),
    issueServerCertificate(authority, { ...validity, names: [nodeName], addresses: [addresses.node] }),
  ]);
  return { ca: authority.cert, apiServer, kubeletClient, admin, node, kubelet };
}

async function keptAuthority(dir: string, clock: Clock): Promise<KeyPair> {
  const file = join(dir, 'authority.json');
  const kept = await readFile(file, 'utf8').catch(() => undefined);
  if (kept !== undefined) return JSON.parse(kept) as KeyPair;
  const made = await certificateAuthority({ now: clock.now(), validDays: 3650, name: 'forge local cluster' });
  await mkdir(dir, { recursive: true, mode: 0o700 });
  await writeFile(file, JSON.stringify(made), { mode: 0o600 });
  return made;
}
