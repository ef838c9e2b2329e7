// SPDX-License-Identifier: Apache-2.0
import { addresses } from '@forge/cluster/node/network/addresses.ts';
import type { KeyPair } from '@forge/pki/certificate.ts';
import { issueClientCertificate, issueServerCertificate } from '@forge/pki/issue-certificate.ts';
import type { Clock } from '@forge/runtime/environment/clock.ts';
import { loadOrCreateAuthority } from './authority.ts';
import { serverCredentials, type ServerCredentials } from './server-credentials.ts';
import { loadOrCreateSigningKey } from './signing-key.ts';
import { nodeName } from './topology.ts';

/** The TLS credentials of a local cluster's components. */
export interface Credentials extends ServerCredentials {
  /** The API server as a client of the kubelet. */
  kubeletClient: KeyPair;
  node: KeyPair;
  kubelet: KeyPair;
  /** PEM of the key that signs ServiceAccount tokens. */
  signingKey: string;
}

/** The authority and the signing key are created on first use and persist; certificates are issued at every start. */
export async function clusterCredentials(dir: string, clock: Clock): Promise<Credentials> {
  const authority = await loadOrCreateAuthority(dir, clock);
  const validity = { now: clock.now(), validDays: 365 };
  const client = (user: string, groups: string[]) => issueClientCertificate(authority, { ...validity, user, groups });
  return {
    ...serverCredentials(authority, clock),
    kubeletClient: client('kube-apiserver-kubelet-client', ['system:masters']),
    node: client(`system:node:${nodeName}`, ['system:nodes']),
    kubelet: issueServerCertificate(authority, { ...validity, names: [nodeName], addresses: [addresses.node] }),
    signingKey: await loadOrCreateSigningKey(dir),
  };
}
