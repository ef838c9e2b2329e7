// SPDX-License-Identifier: Apache-2.0
import type { Keystone } from './keystone.ts';

/** Every object's name begins with the Keystone's own, so that two of them live in one namespace. */
export const namesOf = ({ metadata: { name } }: Keystone) => ({
  api: name,
  digestKey: `${name}-digest-key`,
  dbConnection: `${name}-db-connection`,
  fernetKeys: `${name}-fernet-keys`,
  credentialKeys: `${name}-credential-keys`,
  configBase: `${name}-config`,
  dbSync: `${name}-db-sync`,
  schemaCheck: `${name}-schema-check`,
  bootstrap: `${name}-bootstrap`,
  trustFlush: `${name}-trust-flush`,
});

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

/** Annotation on the API pods: changes with the database connection, which pods read only when they start. */
export const dbConnectionHashAnnotation = 'forge.c5c3.io/db-connection-hash';

/** Field manager of everything the operator applies. */
export const fieldManager = 'forge-operator';

/** Port of the Keystone API. */
export const apiPort = 5000;

/** URL of the API inside the cluster. */
export const internalUrl = ({ metadata: { name, namespace } }: Keystone) =>
  `http://${name}.${namespace}.svc.cluster.local:${apiPort}/v3`;
