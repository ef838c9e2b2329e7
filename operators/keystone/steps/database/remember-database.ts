// SPDX-License-Identifier: Apache-2.0
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { Database, MariaDB } from '@forge/kube/third-party/mariadb.ts';
import { checkpoint, degraded, waiting } from '@forge/runtime/steps/outcome.ts';
import { namesOf } from '../../api/names.ts';
import { databaseReady } from '../../conditions/database.ts';
import { databaseIdentityOf, databaseObjectIn } from '../../objects/backends.ts';
import { claimOn } from '../../objects/keys/key-claim.ts';
import { holdsKeys } from '../../objects/keys/key-format.ts';
import { imageOf } from '../../objects/pod.ts';
import { hasSyncedSchema } from '../../objects/synced-schema.ts';
import { phaseCase } from './abort-upgrade.ts';
import type { DatabaseContext, DatabaseOutcome, ReleaseContext } from './database-context.ts';
import { servingTagOf } from './release-decision.ts';
import { isPhaseAtWork, removePhases } from './stop-phases.ts';
import { noUpgrade } from './upgrade-phases.ts';

/**
 * Remembers on which database the schema is created, before the first Job works on it; nothing once it is remembered.
 *
 * Guarantees: credential keys exist before there can be rows that they encrypt. Nothing is known of another database: an
 * upgrade in progress starts again on it, or is completed at once if pods of the old release must not use it.
 */
export async function rememberDatabase(context: ReleaseContext): Promise<DatabaseOutcome | undefined> {
  const { object: keystone, get } = context;
  const { status = {}, spec } = keystone;
  const server = spec.database.clusterRef && get(MariaDB, spec.database.clusterRef.name);
  const database = databaseIdentityOf(keystone, { database: get(Database, namesOf(keystone).api), server });
  if (status.syncedDatabase === database) return undefined;
  if (status.syncedDatabase === undefined) {
    const secret = namesOf(keystone).credentialKeys;
    if (!hasSyncedSchema(keystone) && !hasOwnKeys(context)) return waiting(databaseReady.keysNotReady({ secret }));
    return checkpoint({ syncedDatabase: database });
  }
  const object = databaseObjectIn(database);
  if (status.syncedDatabase === object) return checkpoint({ syncedDatabase: database });
  // Another MariaDB may have the volumes of the one before.
  const isOther = databaseObjectIn(status.syncedDatabase) !== object;
  const fresh = { syncedDatabase: database, ...(isOther && { expandedRelease: undefined }) };
  const { installedRelease: from, targetRelease: to, upgradePhase: phase } = status;
  if (from === undefined || to === undefined || phase === undefined) return checkpoint(fresh);
  if ((await isPhaseAtWork(context)) || !(await removePhases(context))) {
    const output = { image: imageOf(keystone, servingTagOf(status, spec.image.tag)) };
    return degraded(phaseCase(phase, { from, to }), { output });
  }
  if (status.contractedRelease !== undefined) {
    // The sync of the new release finishes what contract has begun: the schema is not ahead of it.
    return checkpoint({ ...fresh, ...noUpgrade, installedRelease: to, expandedRelease: undefined });
  }
  return checkpoint({ ...fresh, expandJob: undefined, upgradePhase: 'Expanding' });
}

/** Whether the Keystone has credential keys of its own. */
function hasOwnKeys({ object: keystone, get }: DatabaseContext): boolean {
  const secret = get(Secret, namesOf(keystone).credentialKeys);
  return secret !== undefined && claimOn(secret, keystone) === 'own' && holdsKeys(secret.data ?? {});
}
