// SPDX-License-Identifier: Apache-2.0
import type { Keystone } from './keystone.ts';
import { secretNamesOf } from './secret-names.ts';

/** Every object's name begins with the Keystone's own, so that two of them live in one namespace. */
export const namesOf = ({ metadata: { name } }: Keystone) => ({
  api: name,
  ...secretNamesOf(name),
  configBase: `${name}-config`,
  dbSync: `${name}-db-sync`,
  schemaCheck: `${name}-schema-check`,
  dbExpand: `${name}-db-expand`,
  dbMigrate: `${name}-db-migrate`,
  dbContract: `${name}-db-contract`,
  policyValidation: `${name}-policy-validation`,
  bootstrap: `${name}-bootstrap`,
  trustFlush: `${name}-trust-flush`,
});

/** The two key repositories: keys that sign tokens, and keys that encrypt the credential table. */
export type KeyType = 'fernet' | 'credential';

/** Both, in the order in which they are listed everywhere. */
export const keyTypes = ['fernet', 'credential'] as const satisfies readonly KeyType[];

/** Names of what belongs to one key repository. */
export const keyNamesOf = ({ metadata: { name } }: Keystone, keyType: KeyType) => ({
  /** The production Secret. */
  keys: secretNamesOf(name)[`${keyType}Keys`],
  /** The Secret into which the rotation Job writes. */
  staging: secretNamesOf(name)[`${keyType}Staging`],
  /** The PushSecret that copies the production Secret to the secret store. */
  backup: `${name}-${keyType}-keys-backup`,
  /** The rotation CronJob, and its ServiceAccount, Role and RoleBinding. */
  rotate: `${name}-${keyType}-rotate`,
  rotateScriptBase: `${name}-${keyType}-rotate-script`,
});

/** Names of the backup PushSecrets. */
export const backupNamesOf = (keystone: Keystone) => keyTypes.map((keyType) => keyNamesOf(keystone, keyType).backup);

/** The two labels that select the API pods, and nothing else. */
export const selectorLabels = ({ metadata: { name } }: Keystone) => ({
  'app.kubernetes.io/name': 'keystone',
  'app.kubernetes.io/instance': name,
});

/** Labels of every object the operator owns. */
export const commonLabels = (keystone: Keystone) => ({
  ...selectorLabels(keystone),
  'app.kubernetes.io/managed-by': 'keystone-operator',
});

/** Labels of the pods of Jobs: no Service, budget or policy of the API selects them. */
export const jobPodLabels = ({ metadata: { name } }: Keystone, component: string) => ({
  'app.kubernetes.io/name': 'keystone-job',
  'app.kubernetes.io/instance': name,
  'app.kubernetes.io/component': component,
  'app.kubernetes.io/managed-by': 'keystone-operator',
});

/** Label on immutable ConfigMaps: the name they share before the hash. */
export const configBaseLabel = 'forge.c5c3.io/config-base';

/**
 * Annotation on the API pods, on the pods of database Jobs and on the MariaDB User: changes with the database connection,
 * which pods read only when they start, and whose password mariadb-operator applies late.
 */
export const dbConnectionHashAnnotation = 'forge.c5c3.io/db-connection-hash';

/** Annotation on the pods of database Jobs: the database, as status.syncedDatabase has it; they run again on another one. */
export const databaseAnnotation = 'forge.c5c3.io/database';

/**
 * Annotation on the MariaDB Database, User and Grant: uid of their MariaDB. Mariadb-operator looks at its own objects only:
 * without a change here it fills a server that was created again, and is empty, hours later.
 */
export const mariadbUidAnnotation = 'forge.c5c3.io/mariadb-uid';

/** Label on staging Secrets: the production Secret's name without that of the Keystone. */
export const rotationTargetLabel = 'forge.c5c3.io/rotation-target';

/** Annotation on staging and production Secrets: when the rotation that led to these keys was completed. */
export const rotationCompletedAnnotation = 'forge.c5c3.io/rotation-completed-at';

/** Annotation on production Secrets: digest of the database that the keys belong to. */
export const keysForAnnotation = 'forge.c5c3.io/keys-for';

/** Finalizer that holds a Keystone until its database objects are deleted. */
export const databaseFinalizer = 'keystone.openstack.c5c3.io/finalizer';

/** Finalizer that holds a Keystone until the backups of its keys are gone. */
export const openBaoFinalizer = 'keystone.openstack.c5c3.io/openbao-finalizer';

/** Whether the Keystone is deleted and everything that belongs to it stays: `kubectl delete --cascade=orphan`. */
export const isOrphaning = ({ metadata: { finalizers = [] } }: Keystone) => finalizers.includes('orphan');

/** Finalizer by which External Secrets holds a PushSecret whose copy it will delete. */
export const pushSecretFinalizer = 'pushsecret.externalsecrets.io/finalizer';

/** Annotation on the Deployment: the replicas that stay after autoscaling, and the spec.replicas for which they do. */
export const replicasKeptAnnotation = 'forge.c5c3.io/replicas-kept';

/** Annotation on a Keystone: uid of the last Job of this suffix that the metrics counted. */
export const lastJobAnnotation = (suffix: string) => `forge.c5c3.io/last-${suffix}-job-uid`;

/** Field manager of everything the operator applies. */
export const fieldManager = 'forge-operator';

/** Port of the Keystone API. */
export const apiPort = 5000;

/** URL of the API as users know it: that of the gateway where there is one. */
export const endpointOf = (keystone: Keystone) =>
  keystone.spec.gateway === undefined ? internalUrl(keystone) : `https://${keystone.spec.gateway.hostname}/v3`;

/** URL of the API inside the cluster. */
export const internalUrl = ({ metadata: { name, namespace } }: Keystone) =>
  `http://${name}.${namespace}.svc.cluster.local:${apiPort}/v3`;
