// SPDX-License-Identifier: Apache-2.0
import type { ConfigMap, Secret } from '@forge/kube/kinds/builtin.ts';
import { certificatesIn } from '@forge/pki/read-certificate.ts';
import { labelsOf, namesOf } from '../../api/names.ts';
import type { OpenBaoCluster } from '../../api/openbao-cluster.ts';
import { isLasting } from './issue-certificates.ts';
import { textIn } from './stored-certificates.ts';

/** CAs (PEM, each a text of its own) of External certificates. */
export interface ExternalAuthorities {
  /** Those of both Secrets. */
  readonly current: readonly string[];
  /** Those that were published before and are in neither Secret any more, as long as they last. */
  readonly former: readonly string[];
}

/** The CAs in the Secrets of External certificates, and those that were published before. */
export function externalAuthorities(
  { authority, server }: { authority: Secret | undefined; server: Secret | undefined },
  published: ConfigMap | undefined,
  now: number,
): ExternalAuthorities {
  const usable = (text: string) => certificatesIn(text).filter((each) => isLasting(each, now));
  const own = certificatesIn(textIn(authority, 'ca.crt'));
  const current = [...new Set([...own, ...usable(textIn(server, 'ca.crt'))])];
  const former = usable(published?.data?.['ca.crt'] ?? '').filter((each) => !current.includes(each));
  return { current, former };
}

/** The ConfigMap by which the operator and its Jobs trust External certificates: the Secrets are the user's. */
export function trustedAuthorities(cluster: OpenBaoCluster, authorities: readonly string[]): ConfigMap {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: namesOf(cluster).trustedAuthorities, labels: labelsOf(cluster) },
    data: { 'ca.crt': authorities.join('') },
  };
}
