// SPDX-License-Identifier: Apache-2.0
import { addresses } from '@forge/cluster/node/network/addresses.ts';
import type { KeyPair } from '@forge/pki/certificate.ts';
import { issueClientCertificate, issueServerCertificate } from '@forge/pki/issue-certificate.ts';
import type { Clock } from '@forge/runtime/environment/clock.ts';

/** Credentials of an API server and of its administrator. */
export interface ServerCredentials {
  /** PEM of the authority that signed the others. */
  ca: string;
  apiServer: KeyPair;
  admin: KeyPair;
}

/** Issues certificates for a year, for the names by which pods and this machine reach the API server. */
export function serverCredentials(authority: KeyPair, clock: Clock): ServerCredentials {
  const validity = { now: clock.now(), validDays: 365 };
  const inCluster = ['kubernetes', 'kubernetes.default', 'kubernetes.default.svc'];
  return {
    ca: authority.cert,
    apiServer: issueServerCertificate(authority, {
      ...validity,
      names: [...inCluster, 'kubernetes.default.svc.cluster.local', 'localhost'],
      addresses: ['127.0.0.1', addresses.kubernetes],
    }),
    admin: issueClientCertificate(authority, { ...validity, user: 'kubernetes-admin', groups: ['system:masters'] }),
  };
}
