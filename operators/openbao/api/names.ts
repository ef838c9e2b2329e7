// SPDX-License-Identifier: Apache-2.0
import { createHash } from 'node:crypto';
import type { OpenBaoCluster } from './openbao-cluster.ts';

/** The field manager of what the operator applies. */
export const fieldManager = 'openbao-operator';

/** The prefix of metrics of clusters. */
export const metricPrefix = 'openbao';

/** The prefix of metrics of the operator's steps. */
export const stepMetricPrefix = 'openbao_operator';

/** The port of OpenBao's API. */
export const apiPort = 8200;

/** The port on which the servers of a cluster talk to each other. */
export const clusterPort = 8201;

/** The names of all objects, made from that of the cluster; with blue/green also from the revision. */
export const namesOf = ({ metadata: { name } }: Pick<OpenBaoCluster, 'metadata'>, revision?: string) => {
  const set = revision === undefined ? name : `${name}-${revision}`;
  return {
    statefulSet: set,
    pod: (ordinal: number) => `${set}-${ordinal}`,
    claim: (ordinal: number) => `data-${set}-${ordinal}`,
    headlessService: name,
    publicService: `${name}-public`,
    acmeService: `${name}-acme`,
    ingress: name,
    config: revision === undefined ? `${name}-config` : `${name}-config-${revision}`,
    serviceAccount: `${name}-serviceaccount`,
    role: `${name}-serviceaccount-role`,
    roleBinding: `${name}-serviceaccount-rolebinding`,
    backupServiceAccount: `${name}-backup-serviceaccount`,
    upgradeServiceAccount: `${name}-upgrade-serviceaccount`,
    caSecret: `${name}-tls-ca`,
    serverSecret: `${name}-tls-server`,
    trustedAuthorities: `${name}-tls-trusted`,
    unsealKeySecret: `${name}-unseal-key`,
    rootTokenSecret: `${name}-root-token`,
    networkPolicy: `${name}-network-policy`,
    podDisruptionBudget: `${name}-pdb`,
  };
};

/** The name that every server certificate of the cluster has, whatever the address. */
export const clusterServerName = ({ metadata: { name } }: Pick<OpenBaoCluster, 'metadata'>) =>
  `openbao-cluster-${name}.local`;

/** The URL of a pod's API. */
export const podUrl = ({ metadata: { name, namespace = '' } }: Pick<OpenBaoCluster, 'metadata'>, pod: string) =>
  `https://${pod}.${name}.${namespace}.svc:${apiPort}`;

/** The image that pods run: tags carry no leading v. */
export const imageOf = ({ spec: { image, version } }: OpenBaoCluster) =>
  image ?? `openbao/openbao:${version.replace(/^v/, '')}`;

/** The revision of a version, image and size: 16 hexadecimal digits. */
export function revisionOf(cluster: OpenBaoCluster): string {
  const { version, replicas } = cluster.spec;
  return sha256(`version=${version}\nimage=${imageOf(cluster)}\nreplicas=${replicas}\n`).slice(0, 16);
}

/** The audience of the tokens that ServiceAccounts of a cluster log in to its servers with. */
export const jwtAudience = 'openbao-internal';

/** Finalizer that holds a cluster until everything that its deletion policy names is gone. */
export const finalizer = 'openbao.org/openbaocluster-finalizer';

/** Labels of everything that belongs to a cluster. */
export const labelsOf = ({ metadata: { name } }: Pick<OpenBaoCluster, 'metadata'>) => ({
  'app.kubernetes.io/name': 'openbao',
  'app.kubernetes.io/instance': name,
  'app.kubernetes.io/managed-by': 'openbao-operator',
  [clusterLabel]: name,
});

/** Label of everything that belongs to a cluster; pods that look for others to join select by it. */
export const clusterLabel = 'openbao.org/cluster';

/** Label of pods, StatefulSet and claims of a revision, with blue/green. */
export const revisionLabel = 'openbao.org/revision';

/** Label of pods, Jobs and their ServiceAccounts: what they are for. */
export const componentLabel = 'openbao.org/component';
export const components = { server: 'server', backup: 'backup', upgrade: 'upgrade' } as const;

/** Label of the Job of a snapshot before an upgrade, and its value. */
export const backupTypeLabel = 'openbao.org/backup-type';
export const preUpgradeBackup = 'pre-upgrade';

/** Labels that a server writes on its pod; after a crash they are stale. */
export const serverLabels = {
  active: 'openbao-active',
  initialized: 'openbao-initialized',
  sealed: 'openbao-sealed',
  perfStandby: 'openbao-perf-standby',
  version: 'openbao-version',
} as const;

/** Annotations. */
export const annotations = {
  /** On pods: SHA-256 of the certificate that they serve. */
  certificateHash: 'openbao.org/tls-cert-hash',
  /** On the pod template: SHA-256 of the configuration. */
  configHash: 'openbao.org/config-hash',
  /** On a cluster: asks for a snapshot. */
  triggerBackup: 'openbao.org/trigger-backup',
  /** On a cluster: resumes a halted upgrade. */
  retryUpgrade: 'openbao.org/retry-upgrade',
  /** On Jobs of an upgrade. */
  upgradeAction: 'openbao.org/upgrade-action',
  upgradeRunId: 'openbao.org/upgrade-run-id',
  /** On backup Jobs: the name of the snapshot in the bucket. */
  backupKey: 'openbao.org/backup-key',
  /** On claims: the highest version that ran on the data. */
  version: 'openbao.org/version',
  /** On the claim of the first pod: when an initialisation was begun whose answer is not stored yet. */
  initialization: 'openbao.org/initialization',
  /** On claims: that the removal of the server from the Raft cluster was `begun`, or is `done`. */
  removal: 'openbao.org/raft-removal',
  /** On the StatefulSet: SHA-256 of the pod template that the spec asked for when it was written. */
  templateHash: 'openbao.org/template-hash',
  /** On claims: SHA-256 of the key that unseals the data. */
  unsealKeyFingerprint: 'openbao.org/unseal-key-fingerprint',
} as const;

/** The key under which the ConfigMap keeps the configuration with this hash. */
export const configKey = (hash: string) => `config-${hash}.hcl`;

/** Whether a key of the ConfigMap is one of these. */
export const isConfigKey = (key: string): boolean => /^config-[0-9a-f]+\.hcl$/.test(key);

/** The Job of a snapshot for a time of the schedule. */
export const backupJobName = ({ metadata: { name } }: Pick<OpenBaoCluster, 'metadata'>, time: Date) =>
  `backup-${name}-${stamp(time)}`;

/** The longest name of a Job: its pods carry it as a label. */
const maxJobName = 63;

/** The Job of a snapshot before an upgrade that began then; a digest replaces the end of a name that is too long. */
export function preUpgradeJobName({ metadata: { name } }: Pick<OpenBaoCluster, 'metadata'>, time: Date): string {
  const end = `-${stamp(time)}`;
  const whole = `pre-upgrade-backup-${name}`;
  return whole.length + end.length <= maxJobName
    ? `${whole}${end}`
    : `${shortened(whole, maxJobName - end.length - digestLength - 1, name)}${end}`;
}

/** What distinguishes one run of an upgrade's action from another. */
export interface UpgradeRun {
  readonly action: string;
  readonly runID: string;
  readonly blueRevision: string;
  readonly greenRevision: string;
}

const digestLength = 10;

/** The beginning of a text and a digest, which distinguishes it from texts with the same beginning. */
const shortened = (text: string, length: number, distinction: string) =>
  `${text.slice(0, length).replace(/-+$/, '')}-${sha256(distinction).slice(0, digestLength)}`;

/** The Job of an upgrade's action: the same run has the same name, at most 63 characters. */
export function upgradeJobName({ metadata: { name } }: Pick<OpenBaoCluster, 'metadata'>, run: UpgradeRun): string {
  const { action, runID, blueRevision, greenRevision } = run;
  const distinction = [name, action, runID, blueRevision, greenRevision].join('|');
  return shortened(`upgrade-${name}-${action}`, maxJobName - digestLength - 1, distinction);
}

/** A time in a name: 20260131-030000, in UTC. */
const stamp = (time: Date) => time.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
