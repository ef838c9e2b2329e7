// SPDX-License-Identifier: Apache-2.0
import { warningsOf } from '../../admission/warnings.ts';
import type { Keystone } from '../../api/keystone.ts';
import { keystoneFixture } from '../keystone-fixture.ts';
import { admissionCases } from './admission-cases.ts';

/** Depends on the cluster, so it is not a case. */
const missingPriorityClass = {
  name: 'a PriorityClass that does not exist',
  webhook: ['spec.priorityClassName', 'Not found: "high"'],
  schema: undefined,
} as const;

/** The admission of a Keystone. */
export const documentedAdmission = {
  refused: [...admissionCases, missingPriorityClass],
  warnings: exampleWarnings(),
};

/** The warnings about a Keystone that causes all of them. */
function exampleWarnings(): string[] {
  const { spec } = keystoneFixture();
  const keystone = keystoneFixture({
    image: { ...spec.image, tag: 'latest' },
    cache: { ...spec.cache, backend: 'dogpile.cache.pymemcache' },
    logging: { ...spec.logging, level: 'DEBUG' },
    middleware: [{ name: 'audit', filterFactory: 'audit_middleware:filter_factory', position: 'before' }],
    trustFlush: { schedule: '0 * * * *', suspend: false, args: ['--keystone-user=keystone'] },
    extraConfig: { database: { connection: 'mysql+pymysql://keystone:password@db/keystone' } },
  });
  const other = { ...keystoneFixture(), metadata: { name: 'other', namespace: 'openstack' } };
  return [...warningsOf(keystone, [other]), ...warningsOf(managed('identity'), [], managed('keystone'))];
}

/** The same Keystone on a managed database of this name. */
function managed(database: string): Keystone {
  const { cache, database: given } = keystoneFixture().spec;
  const { host: _, ...rest } = given;
  return keystoneFixture({ cache, database: { ...rest, database, clusterRef: { name: 'mariadb' } } });
}
