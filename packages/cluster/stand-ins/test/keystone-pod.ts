// SPDX-License-Identifier: Apache-2.0
import type { Pod, Service } from '@forge/kube/kinds/builtin.ts';
import { adminPassword, authUrl } from './korc-objects.ts';

const metadata = { namespace: 'default', name: 'keystone', labels: { app: 'keystone' } };
const state = '/var/lib/keystone';

const script = `
keystone-manage db_sync
keystone-manage fernet_setup
keystone-manage credential_setup
keystone-manage bootstrap --bootstrap-region-id RegionOne --bootstrap-public-url ${authUrl} \\
  --bootstrap-internal-url ${authUrl} --bootstrap-admin-url ${authUrl}
exec uwsgi --http :5000 --log-master --wsgi-file /var/lib/openstack/bin/keystone-wsgi-public --master --need-app \\
  --lazy-apps --processes 1 --threads 1 --die-on-term
`;

const keystoneEnvironment = {
  OS_BOOTSTRAP_PASSWORD: adminPassword,
  OS_CACHE__ENABLED: 'false',
  OS_DATABASE__CONNECTION: 'mysql+pymysql://keystone:keystone@127.0.0.1/keystone',
  OS_DATABASE__MAX_RETRIES: '300',
  OS_DATABASE__RETRY_INTERVAL: '1',
  OS_FERNET_TOKENS__KEY_REPOSITORY: `${state}/fernet-keys`,
  OS_FERNET_RECEIPTS__KEY_REPOSITORY: `${state}/fernet-keys`,
  OS_CREDENTIAL__KEY_REPOSITORY: `${state}/credential-keys`,
};

const databaseEnvironment = {
  MARIADB_ROOT_PASSWORD: 'root',
  MARIADB_DATABASE: 'keystone',
  MARIADB_USER: 'keystone',
  MARIADB_PASSWORD: 'keystone',
};

const variables = (environment: Readonly<Record<string, string>>) =>
  Object.entries(environment).map(([name, value]) => ({ name, value }));

/**
 * A real Keystone with its database in the same pod, bootstrapped at the URL of these tests; it has no persistent data.
 */
export const keystonePod: Pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata,
  spec: {
    terminationGracePeriodSeconds: 5,
    automountServiceAccountToken: false,
    containers: [
      {
        name: 'keystone',
        image: 'c5c3/keystone:2025.2',
        command: ['sh', '-ec', script],
        env: variables(keystoneEnvironment),
        // It serves one request at a time, and a login may take a second.
        readinessProbe: { httpGet: { path: '/v3', port: 5000 }, timeoutSeconds: 10, failureThreshold: 10 },
        volumeMounts: [{ name: 'keys', mountPath: state }],
      },
      {
        name: 'database',
        image: 'mariadb:10.11',
        env: variables(databaseEnvironment),
        volumeMounts: [{ name: 'data', mountPath: '/var/lib/mysql' }],
      },
    ],
    volumes: [
      { name: 'keys', emptyDir: {} },
      { name: 'data', emptyDir: {} },
    ],
  },
};

/** The Service of the Keystone. */
export const keystoneService: Service = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata,
  spec: { selector: metadata.labels, ports: [{ port: 5000 }] },
};
