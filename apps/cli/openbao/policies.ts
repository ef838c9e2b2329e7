// SPDX-License-Identifier: Apache-2.0

/** The KV mount of version 2. */
export const mount = 'kv-v2';

/** What External Secrets may read: credentials that Keystone and its backing services start with. */
const esoManagement = ['bootstrap', 'infrastructure', 'openstack/keystone']
  .map((path) => grant(`${mount}/data/${path}/*`, ['read']))
  .join('\n');

/**
 * Where it may copy the keys of Keystones, `{namespace}/{name}`: without a trailing `*`, since the database accounts are
 * beside them; with metadata, since it marks what it wrote and deletes it as a whole.
 */
const pushKeystoneKeys = ['fernet-keys', 'credential-keys']
  .flatMap((keys) => ['data', 'metadata'].map((part) => `${mount}/${part}/openstack/keystone/+/+/${keys}`))
  .map((path) => grant(path, ['create', 'update', 'read', 'delete']))
  .join('\n');

/** The policies of the role that External Secrets logs in with. */
export const policies: Readonly<Record<string, string>> = {
  'eso-management': esoManagement,
  'push-keystone-keys': pushKeystoneKeys,
};

function grant(path: string, capabilities: readonly string[]): string {
  return `path "${path}" {\n  capabilities = ${JSON.stringify(capabilities)}\n}\n`;
}
