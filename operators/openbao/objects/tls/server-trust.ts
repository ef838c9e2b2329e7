// SPDX-License-Identifier: Apache-2.0
import type { ConfigMap, Secret } from '@forge/kube/kinds/builtin.ts';
import type { OpenBaoCluster } from '../../api/openbao-cluster.ts';
import { acmeDomains } from '../config/listener-block.ts';
import { textIn } from './stored-certificates.ts';

/** How the servers of a cluster prove who they are: by certificates of these CAs (PEM), or well-known ones, for this name. */
export interface ServerTrust {
  readonly ca?: string;
  readonly serverName?: string;
}

/** Where CAs are published. */
export interface PublishedAuthorities {
  /** The Secret of the CA. */
  readonly secret: Secret | undefined;
  /** With External certificates, the ConfigMap that has former CAs, too; not there before they can be used. */
  readonly trusted: ConfigMap | undefined;
}

/**
 * Whom to trust. With ACME the certificates are for a domain, and their CA is well known unless the Secret, which is then the
 * user's, says otherwise; in the other modes a CA that is unknown trusts nobody.
 */
export function serverTrust(cluster: OpenBaoCluster, { secret, trusted }: PublishedAuthorities): ServerTrust {
  const ca = textIn(secret, 'ca.crt');
  if (cluster.spec.tls.mode === 'External') return { ca: trusted?.data?.['ca.crt'] ?? ca };
  if (cluster.spec.tls.mode !== 'ACME') return { ca };
  const [serverName] = acmeDomains(cluster);
  return { ...(ca !== '' && { ca }), ...(serverName !== undefined && { serverName }) };
}
