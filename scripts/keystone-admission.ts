// SPDX-License-Identifier: Apache-2.0
import { warningsOf } from '../operators/keystone/admission/warnings.ts';
import type { Keystone } from '../operators/keystone/keystone.ts';
import { admissionRows } from '../operators/keystone/test/admission/admission-rows.ts';
import { keystoneFixture } from '../operators/keystone/test/keystone-fixture.ts';
import { admissionPage } from './admission-page.ts';

/** The admission of a Keystone. */
export const keystoneAdmissionPage = (): string =>
  admissionPage({
    kind: 'Keystone',
    refused: admissionRows,
    further: [
      '- a PriorityClass that does not exist: `spec.priorityClassName: Not found: "high"`. Only by the webhook.',
    ],
    warnings: exampleWarnings(),
  });

/** The warnings about a Keystone that deserves all of them. */
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
