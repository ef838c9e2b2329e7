// SPDX-License-Identifier: Apache-2.0
import type { EnvVar } from '@forge/kube/generated/types.ts';
import { apiPort, clusterPort, namesOf } from '../api/names.ts';
import type { OpenBaoCluster } from '../api/openbao-cluster.ts';
import type { SealType } from '../api/seals.ts';
import { folders } from './server-volumes.ts';

/** What differs between pods, and what the seal needs: so all pods have the same configuration file. */
export function serverEnvironment(cluster: OpenBaoCluster, sealHasAuthority: boolean): EnvVar[] {
  const { namespace = '' } = cluster.metadata;
  const host = `$(HOSTNAME).${namesOf(cluster).headlessService}.${namespace}.svc`;
  return [
    field('HOSTNAME', 'metadata.name'),
    field('BAO_K8S_POD_NAME', 'metadata.name'),
    field('BAO_K8S_NAMESPACE', 'metadata.namespace'),
    field('POD_IP', 'status.podIP'),
    // Not the address of the pod: no certificate contains it.
    { name: 'BAO_API_ADDR', value: `https://${host}:${apiPort}` },
    { name: 'BAO_CLUSTER_ADDR', value: `https://${host}:${clusterPort}` },
    { name: 'BAO_RAFT_NODE_ID', value: '$(HOSTNAME)' },
    cluster.spec.tls.mode === 'ACME' ? trustedFolders : wrapperUmask,
    ...sealEnvironment(cluster, sealHasAuthority),
  ];
}

/** Beside the CAs of the image, perhaps one of the cluster's own: for the ACME server, and for the servers that are joined. */
const trustedFolders = { name: 'SSL_CERT_DIR', value: `/etc/ssl/certs:${folders.tls}` };

const wrapperUmask = { name: 'UMASK', value: '0077' };

const field = (name: string, fieldPath: string): EnvVar => ({
  name,
  valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath } },
});

/** The variables that a seal takes from the Secret with its credentials, by their keys there. */
const credentials: Readonly<Record<SealType, Readonly<Record<string, string>>>> = {
  static: {},
  transit: { VAULT_TOKEN: 'token' },
  awskms: sameNames('AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'),
  azurekeyvault: sameNames(
    'AZURE_TENANT_ID',
    'AZURE_CLIENT_ID',
    'AZURE_CLIENT_SECRET',
    'AZURE_ENVIRONMENT',
    'AZURE_AD_RESOURCE',
  ),
  gcpckms: {},
  kmip: {},
  ocikms: {},
  pkcs11: sameNames('BAO_HSM_PIN'),
};

function sameNames(...names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [name, name]));
}

function sealEnvironment({ spec: { unseal } }: OpenBaoCluster, hasAuthority: boolean): EnvVar[] {
  const name = unseal.credentialsSecretRef?.name;
  if (name === undefined) return [];
  return [
    ...Object.entries(credentials[unseal.type]).map(([variable, key]) => ({
      name: variable,
      valueFrom: { secretKeyRef: { name, key, optional: true } },
    })),
    ...(unseal.type === 'gcpckms' ? [inSecret('GOOGLE_APPLICATION_CREDENTIALS', 'credentials.json')] : []),
    ...(unseal.type === 'transit' && hasAuthority ? [inSecret('VAULT_CACERT', 'ca.crt')] : []),
  ];
}

const inSecret = (name: string, key: string) => ({ name, value: `${folders.seal}/${key}` });
