// SPDX-License-Identifier: Apache-2.0

/** The KV mount of version 2. */
export const mount = 'kv-v2';

/** Paths that External Secrets may read: initial credentials of Keystone and its backing services. */
const esoManagement = ['bootstrap', 'infrastructure', 'openstack/keystone']
  .map((path) => grant(`${mount}/data/${path}/*`, ['read']))
  .join('\n');

/** Paths of copies of the keys of Keystones and the credentials of ControlPlanes, by `{namespace}/{name}`. */
const keystoneKeys = ['fernet-keys', 'credential-keys'].map((keys) => `openstack/keystone/+/+/${keys}`);
const appCredentials = ['openstack/keystone/+/+/admin/app-credential'];

/** The policies of the role of External Secrets. */
export const policies: Readonly<Record<string, string>> = {
  'eso-management': esoManagement,
  'push-keystone-keys': push(keystoneKeys),
  'push-app-credentials': push(appCredentials),
};

/**
 * Allows pushes to these paths: without a trailing `*`, since database accounts have sibling paths; with metadata,
 * since External Secrets marks its content there and deletes both.
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
