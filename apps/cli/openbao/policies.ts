// SPDX-License-Identifier: Apache-2.0

/** The KV mount of version 2. */
export const mount = 'kv-v2';

/** What External Secrets may read: credentials that Keystone and its backing services start with. */
const esoManagement = ['bootstrap', 'infrastructure', 'openstack/keystone']
  .map((path) => grant(`${mount}/data/${path}/*`, ['read']))
  .join('\n');

/** Where it may copy the keys of Keystones and the credentials of ControlPlanes, `{namespace}/{name}`. */
const keystoneKeys = ['fernet-keys', 'credential-keys'].map((keys) => `openstack/keystone/+/+/${keys}`);
const appCredentials = ['openstack/keystone/+/+/admin/app-credential'];

/** The policies of the role that External Secrets logs in with. */
export const policies: Readonly<Record<string, string>> = {
  'eso-management': esoManagement,
  'push-keystone-keys': push(keystoneKeys),
  'push-app-credentials': push(appCredentials),
};

/**
 * Allows to push to these paths: without a trailing `*`, since the database accounts are beside them; with metadata, since
 * External Secrets marks what it wrote and deletes it as a whole.
 */
function push(paths: readonly string[]): string {
  return paths
    .flatMap((path) => ['data', 'metadata'].map((part) => `${mount}/${part}/${path}`))
    .map((path) => grant(path, ['create', 'update', 'read', 'delete']))
    .join('\n');
}

function grant(path: string, capabilities: readonly string[]): string {
  return `path "${path}" {\n  capabilities = ${JSON.stringify(capabilities)}\n}\n`;
}
