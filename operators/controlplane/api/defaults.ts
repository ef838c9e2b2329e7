// SPDX-License-Identifier: Apache-2.0
import { defaults as keystone } from '@forge/keystone/api/defaults.ts';
import { defaultBackend } from '@forge/openstack/schema/backing-services.ts';

/** The values of fields that are left out or empty, with and without the webhook. */
export const defaults = {
  region: keystone.region,
  databaseCluster: 'openstack-db',
  database: 'keystone',
  databaseSecret: 'keystone-db',
  databaseReplicas: 3,
  cacheCluster: 'openstack-memcached',
  cacheBackend: defaultBackend,
  cacheReplicas: 3,
  cloudsYaml: 'k-orc-clouds-yaml',
  cloud: 'admin',
  passwordSecret: 'keystone-admin',
  passwordKey: 'password',
  rotationMode: 'PasswordDriven',
} as const;
