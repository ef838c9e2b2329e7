// SPDX-License-Identifier: Apache-2.0
import { apiPort, clusterPort } from '../../api/names.ts';
import type { OpenBaoCluster } from '../../api/openbao-cluster.ts';
import { attributes, type HclAttribute, type HclBlock } from './render-hcl.ts';

/** Where the pod finds its certificate. */
export const tlsFolder = '/etc/bao/tls';
export const tlsFiles = {
  certificate: `${tlsFolder}/tls.crt`,
  key: `${tlsFolder}/tls.key`,
  ca: `${tlsFolder}/ca.crt`,
} as const;

/** The names that a certificate is ordered for, with mode ACME. */
export const acmeDomains = ({ spec: { tls } }: OpenBaoCluster): readonly string[] =>
  tls.acme?.domains ?? (tls.acme?.domain === undefined ? [] : [tls.acme.domain]);

/** The listener, with these further settings. */
export function listenerBlock(cluster: OpenBaoCluster, settings: readonly HclAttribute[]): HclBlock {
  return {
    type: 'listener',
    labels: ['tcp'],
    body: [
      ...attributes({
        address: `0.0.0.0:${apiPort}`,
        cluster_address: `0.0.0.0:${clusterPort}`,
        tls_disable: 0,
        max_request_duration: '90s',
        ...(cluster.spec.tls.mode === 'ACME' ? acmeAttributes(cluster) : fileAttributes),
      }),
      ...settings,
    ],
  };
}

const fileAttributes = {
  tls_cert_file: tlsFiles.certificate,
  tls_key_file: tlsFiles.key,
  tls_client_ca_file: tlsFiles.ca,
};

function acmeAttributes(cluster: OpenBaoCluster) {
  const { acme } = cluster.spec.tls;
  return {
    tls_acme_ca_directory: acme?.directoryURL,
    tls_acme_domains: acmeDomains(cluster),
    tls_acme_email: acme?.email === '' ? undefined : acme?.email,
    tls_acme_disable_http_challenge: true,
    // On the volume, so that a restart orders no new certificate.
    tls_acme_cache_path: '/bao/data/acme',
  };
}
