// SPDX-License-Identifier: Apache-2.0

/** The environment variables of the executor; its Jobs set them. */
export const executorVariables = {
  clusterNamespace: 'CLUSTER_NAMESPACE',
  clusterName: 'CLUSTER_NAME',
  /** How many pods are asked who leads: as many as the StatefulSet may have. */
  clusterReplicas: 'CLUSTER_REPLICAS',
  /** The StatefulSet of the pods. Default: the name of the cluster. */
  statefulSet: 'STATEFULSET_NAME',
  /** The name in the servers' certificates where it is not their host: with ACME. Then well-known authorities are trusted, too. */
  tlsServerName: 'CLUSTER_TLS_SERVER_NAME',
  /** What follows `.svc` in the names of hosts, such as cluster.local. Default: nothing. */
  domainSuffix: 'CLUSTER_DOMAIN_SUFFIX',
  endpoint: 'BACKUP_ENDPOINT',
  bucket: 'BACKUP_BUCKET',
  pathPrefix: 'BACKUP_PATH_PREFIX',
  region: 'BACKUP_REGION',
  usePathStyle: 'BACKUP_USE_PATH_STYLE',
  partSize: 'BACKUP_PART_SIZE',
  concurrency: 'BACKUP_CONCURRENCY',
  /** `jwt` or `token`. */
  authMethod: 'BACKUP_AUTH_METHOD',
  jwtAuthRole: 'BACKUP_JWT_AUTH_ROLE',
  /** What the names of snapshots begin with, before the time: `pre-upgrade`. */
  filenamePrefix: 'BACKUP_FILENAME_PREFIX',
  /** The name of the snapshot in the bucket. Default: made from the time. */
  key: 'BACKUP_KEY',
  retentionMaxCount: 'BACKUP_RETENTION_MAX_COUNT',
  retentionMaxAge: 'BACKUP_RETENTION_MAX_AGE',
  /** Read by the AWS SDK. */
  roleArn: 'AWS_ROLE_ARN',
  webIdentityTokenFile: 'AWS_WEB_IDENTITY_TOKEN_FILE',
  tokenPath: 'BACKUP_TOKEN_PATH',
  credentialsPath: 'BACKUP_CREDENTIALS_PATH',
  jwtPath: 'JWT_TOKEN_PATH',
  caPath: 'TLS_CA_PATH',
  terminationPath: 'TERMINATION_MESSAGE_PATH',
} as const;

/** Where the executor finds its files, unless its environment says otherwise. */
export const executorPaths = {
  tokenPath: '/etc/bao/backup/token/token',
  /** A folder with one file per key of the Secret. */
  credentialsPath: '/etc/bao/backup/credentials',
  jwtPath: '/var/run/secrets/tokens/openbao-token',
  caPath: '/etc/bao/tls/ca.crt',
  terminationPath: '/dev/termination-log',
} as const;
