// SPDX-License-Identifier: Apache-2.0
import type { Volume, VolumeMount } from '@forge/kube/generated/types.ts';
import { configKey, namesOf } from '../api/names.ts';
import type { OpenBaoCluster } from '../api/openbao-cluster.ts';
import { wrapperKey } from './config-map.ts';
import { tlsFolder } from './config/listener-block.ts';

/** Where pods find their files. */
export const folders = {
  config: '/etc/bao/config',
  data: '/bao/data',
  plugins: '/openbao/plugins',
  seal: '/etc/bao/seal-creds',
  tls: tlsFolder,
  unseal: '/etc/bao/unseal',
} as const;

/** A volume and where it is mounted. */
export interface Mounted {
  readonly volume: Volume;
  readonly mount: VolumeMount;
}

/** The name of the claim of each pod, whose volume is the StatefulSet's. */
export const dataVolume = 'data';

/** The volumes of a pod with this configuration, beside its data. */
export function serverVolumes(cluster: OpenBaoCluster, configHash: string): Mounted[] {
  const { tls, unseal } = cluster.spec;
  const names = namesOf(cluster);
  const credentials = unseal.type === 'static' ? undefined : unseal.credentialsSecretRef;
  return [
    readOnly(folders.config, {
      name: 'config',
      configMap: {
        name: names.config,
        items: [
          { key: configKey(configHash), path: 'config.hcl' },
          { key: wrapperKey, path: wrapperKey, mode: 0o555 },
        ],
      },
    }),
    empty('tmp', '/tmp'),
    // The server exits when the folder of its plugins is missing.
    empty('plugins', folders.plugins),
    serviceAccount,
    tls.mode === 'ACME' ? authority(names.caSecret) : secret('tls', names.serverSecret, folders.tls),
    ...(unseal.type === 'static' ? [secret('unseal', names.unsealKeySecret, folders.unseal)] : []),
    ...(credentials === undefined ? [] : [secret('seal-creds', credentials.name, folders.seal)]),
  ];
}

const readOnly = (mountPath: string, volume: Volume): Mounted => ({
  volume,
  mount: { name: volume.name, mountPath, readOnly: true },
});

const empty = (name: string, mountPath: string): Mounted => ({
  volume: { name, emptyDir: {} },
  mount: { name, mountPath },
});

/** Files that the group of the server may read, and nobody else. */
const groupOnly = 0o440;

const secret = (name: string, secretName: string, mountPath: string): Mounted =>
  readOnly(mountPath, { name, secret: { secretName, defaultMode: groupOnly } });

/** With ACME, a CA of one's own that the servers trust, if there is one; the Secret may hold its key, too. */
const authority = (secretName: string): Mounted =>
  readOnly(folders.tls, {
    name: 'tls',
    secret: {
      secretName,
      optional: true,
      defaultMode: groupOnly,
      items: [{ key: 'ca.crt', path: 'ca.crt' }],
    },
  });

/** What a ServiceAccount is mounted with by default, for the server's container alone. */
const serviceAccount = readOnly('/var/run/secrets/kubernetes.io/serviceaccount', {
  name: 'kube-api-access',
  projected: {
    defaultMode: groupOnly,
    sources: [
      { serviceAccountToken: { path: 'token', expirationSeconds: 3600 } },
      { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
      {
        downwardAPI: {
          items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
        },
      },
    ],
  },
});
