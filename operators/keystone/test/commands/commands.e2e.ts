// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { catalogue } from '@forge/cluster/images/catalogue.ts';
import { Secret, type Job } from '@forge/kube/kinds/builtin.ts';
import { processCluster, type ProcessCluster } from '@forge/testing/programs/process-cluster.ts';
import { cachedImages } from '@forge/testing/programs/test-program.ts';
import { keyTypes, keyNamesOf, rotationCompletedAnnotation, type KeyType } from '../../api/names.ts';
import { bootstrapJob } from '../../objects/jobs/bootstrap-job.ts';
import { dbSyncJob, phaseJob, schemaCheckJob } from '../../objects/jobs/database-jobs.ts';
import { policyValidationJob } from '../../objects/jobs/policy-validation-job.ts';
import { rejectionOf } from '../../objects/keys/staged-keys.ts';
import { imageOf } from '../../objects/pod.ts';
import { rotationCronJob } from '../../objects/rotation/cron-job.ts';
import { trustFlushCronJob } from '../../objects/trust-flush.ts';
import { createDatabases, createNamespace, startServer } from './backing-services.ts';
import { createRelease, databaseOf, namespaceOf, type Release } from './release.ts';
import { jobFrom, runJob } from './run-job.ts';

const rootPassword = 'root';
const releases = catalogue
  .flatMap(({ references }) => references)
  .flatMap((reference) => /^c5c3\/keystone:(\d{4}\.\d)$/.exec(reference)?.[1] ?? []);

/** The Jobs that work on the schema, in the order of a first installation after that of an upgrade. */
function schemaJobs({ keystone, configMap }: Release): Job[] {
  const inputs = { configMap, connectionDigest: 'digest' };
  return [
    ...(['expand', 'migrate', 'contract'] as const).map((phase) => phaseJob(keystone, phase, inputs)),
    schemaCheckJob(keystone, inputs),
    dbSyncJob(keystone, inputs),
    bootstrapJob(keystone, { ...inputs, image: imageOf(keystone), adminPasswordDigest: 'digest' }),
  ];
}

/** The Jobs that a bootstrapped Keystone has, which do not depend on each other. */
function laterJobs({ keystone, configMap, scripts }: Release): Job[] {
  const image = imageOf(keystone);
  const flush = keystone.spec.trustFlush ?? assert.fail('the fixture purges trusts');
  return [
    policyValidationJob(keystone, { image, configMap }),
    jobFrom(trustFlushCronJob(keystone, flush, { configMap, image })),
    ...keyTypes.map((keyType) => jobFrom(rotationCronJob(keystone, keyType, { configMap, scripts: scripts[keyType] }))),
  ];
}

describe('the commands of Jobs and CronJobs in pods of the image', { concurrency: true }, () => {
  let cluster: ProcessCluster;

  before(async () => {
    // Assembled first: no Job waits for its image.
    await cachedImages(...releases.map((release) => `c5c3/keystone:${release}`));
    cluster = await processCluster();
    const namespaces = releases.map(namespaceOf);
    for (const namespace of namespaces) await createNamespace(cluster, namespace);
    await Promise.all([
      startServer(cluster, {
        namespace: 'default',
        name: 'mariadb',
        image: 'mariadb:10.11',
        env: [{ name: 'MARIADB_ROOT_PASSWORD', value: rootPassword }],
      }),
      ...namespaces.map((namespace) => startServer(cluster, { namespace, name: 'memcached', image: 'memcached:1.6' })),
    ]);
    await createDatabases(cluster, rootPassword, releases.map(databaseOf));
  });
  after(() => cluster[Symbol.asyncDispose]());

  /** Why the operator would refuse the keys that a rotation staged; undefined when it takes them. */
  async function rejectionIn({ keystone, namespace }: Release, keyType: KeyType): Promise<string | undefined> {
    const { keys, staging } = keyNamesOf(keystone, keyType);
    const production = await cluster.client.get(Secret, { namespace, name: keys });
    const staged = await cluster.client.get(Secret, { namespace, name: staging });
    assert.ok(staged.metadata.annotations?.[rotationCompletedAnnotation]);
    return rejectionOf(staged.data ?? {}, production.data ?? {}, 3);
  }

  for (const release of releases) {
    test(`run on ${release}: schema, bootstrap, policy validation, trust flush, key rotation`, async () => {
      const created = await createRelease(cluster, release);
      const { namespace } = created;
      for (const job of schemaJobs(created)) await runJob(cluster, namespace, job);
      await Promise.all(laterJobs(created).map((job) => runJob(cluster, namespace, job)));
      for (const keyType of keyTypes) assert.equal(await rejectionIn(created, keyType), undefined);
    });
  }

  test('are run on every release of the catalogue', () => {
    assert.ok(releases.length >= 4, `only ${releases.join(', ')}`);
  });
});
