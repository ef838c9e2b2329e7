// SPDX-License-Identifier: Apache-2.0
import type { Keystone } from '../api/keystone.ts';

/** Key of the database password in its Secret. */
export const databasePasswordKey = ({ spec }: Keystone) => spec.database.secretRef.key ?? 'password';

/** Key of the administrator's password in its Secret. */
export const adminPasswordKey = ({ spec }: Keystone) => spec.bootstrap.adminPasswordSecretRef.key ?? 'password';
