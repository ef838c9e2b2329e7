// SPDX-License-Identifier: Apache-2.0
import type { Secret } from '@forge/kube/kinds/builtin.ts';
import type { OpenBaoCluster } from '../../api/openbao-cluster.ts';
import { acmeDomains } from '../config/listener-block.ts';
import { textIn } from './stored-certificates.ts';

/** How the servers of a cluster prove who they are: by certificates of these CAs (PEM), or well-known ones, for this name. */
export interface ServerTrust {
  readonly ca?: string;
  readonly serverName?: string;
}

/**
 * Whom to trust, by the Secret of the CA. With ACME the certificates are for a domain, and their CA is well known unless that
 * Secret, which is then the user's, says otherwise; in the other modes a CA that is unknown trusts nobody.
 */
export function serverTrust(cluster: OpenBaoCluster, authority: Secret | undefined): ServerTrust {
  const ca = textIn(authority, 'ca.crt');
  if (cluster.spec.tls.mode !== 'ACME') return { ca };
  const [serverName] = acmeDomains(cluster);
  return { ...(ca !== '' && { ca }), ...(serverName !== undefined && { serverName }) };
}
