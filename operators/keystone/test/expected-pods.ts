// SPDX-License-Identifier: Apache-2.0

/** Labels of every object of the Keystone of the tests. */
export const labels = {
  'app.kubernetes.io/name': 'keystone',
  'app.kubernetes.io/instance': 'identity',
  'app.kubernetes.io/managed-by': 'keystone-operator',
};

/** Labels of the pods of its Jobs. */
export const jobLabels = (component: string) => ({
  'app.kubernetes.io/name': 'keystone-job',
  'app.kubernetes.io/instance': 'identity',
  'app.kubernetes.io/component': component,
  'app.kubernetes.io/managed-by': 'keystone-operator',
});

/** The restricted Pod Security Standard with a read-only root. */
export const restricted = {
  allowPrivilegeEscalation: false,
  runAsNonRoot: true,
  runAsUser: 42424,
  runAsGroup: 42424,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
  seccompProfile: { type: 'RuntimeDefault' },
};

/** The connection URL in the environment. */
export const connection = fromSecret('OS_DATABASE__CONNECTION', 'connection');

/** The connection of a Job's pod, with limited retries; the account is separate from the URL. */
export const jobConnection = [
  fromSecret('OS_DATABASE__CONNECTION', 'job-connection'),
  fromSecret('OS_DATABASE__CONNECTION_PARAMETERS', 'job-connection-parameters'),
  { name: 'OS_DATABASE__MAX_RETRIES', value: '6' },
  { name: 'OS_DATABASE__RETRY_INTERVAL', value: '5' },
];

/** The volumes of a pod, and their mounts. */
export const mounted = {
  config: {
    volume: { name: 'config', configMap: { name: 'identity-config-1' } },
    mount: { name: 'config', mountPath: '/etc/keystone/keystone.conf.d/', readOnly: true },
  },
  fernetKeys: {
    volume: { name: 'fernet-keys', secret: { secretName: 'identity-fernet-keys', defaultMode: 0o400 } },
    mount: { name: 'fernet-keys', mountPath: '/etc/keystone/fernet-keys/', readOnly: true },
  },
  credentialKeys: {
    volume: { name: 'credential-keys', secret: { secretName: 'identity-credential-keys', defaultMode: 0o400 } },
    mount: { name: 'credential-keys', mountPath: '/etc/keystone/credential-keys/', readOnly: true },
  },
};

function fromSecret(name: string, key: string) {
  return { name, valueFrom: { secretKeyRef: { name: 'identity-db-connection', key } } };
}
