// SPDX-License-Identifier: Apache-2.0
import type { Keystone } from '../api/keystone.ts';

/**
 * Whether there may be a schema, and data in it, that belong to the Keystone's keys. An earlier version of the operator
 * remembered only the release of the schema, if its tag names one, and the bootstrap in it.
 */
export const hasSyncedSchema = ({ status }: Keystone): boolean =>
  [status?.syncedDatabase, status?.installedRelease, status?.completedBootstrap].some((fact) => fact !== undefined);
