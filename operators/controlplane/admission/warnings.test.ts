// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ControlPlane } from '../api/control-plane.ts';
import { controlPlaneCluster } from '../test/control-plane-cluster.ts';
import { controlPlaneFixture } from '../test/control-plane-fixture.ts';
import { warningsOf } from './warnings.ts';

/** The fixture with a cache that survives, and these services in its access rules. */
function withServices(...services: readonly string[]): ControlPlane {
  const { infrastructure, korc } = controlPlaneFixture().spec;
  const { cache } = infrastructure;
  const { adminCredential } = korc;
  const { applicationCredential } = adminCredential;
  const accessRules = services.map((service) => ({ service }));
  return controlPlaneFixture({
    infrastructure: { ...infrastructure, cache: { ...cache, backend: 'oslo_cache.memcache_pool' } },
    korc: {
      adminCredential: { ...adminCredential, applicationCredential: { ...applicationCredential, accessRules } },
    },
  });
}

const path = 'spec.korc.adminCredential.applicationCredential.accessRules';

describe('warnings about a ControlPlane', () => {
  test('name access rules that wait for a Service which nobody makes, and the remedy', () => {
    const [identity = '', own = '', ...others] = warningsOf(
      withServices('compute', 'identity', 'controlplane-identity-service'),
    );
    assert.deepEqual(others, []);
    assert.match(identity, new RegExp(`^${RegExp.escape(`${path}[1].service: identity`)}.*create one of that name`));
    assert.match(own, new RegExp(`^${RegExp.escape(`${path}[2].service: the operator creates`)}.*under another name`));
  });

  test('name a cache backend that does not survive the loss of a server, and reach the user', async () => {
    const warning =
      'spec.infrastructure.cache.backend: with dogpile.cache.pymemcache no token is validated while Memcached is down; set ' +
      'oslo_cache.memcache_pool';
    assert.deepEqual(warningsOf(controlPlaneFixture()), [warning]);
    await using cluster = await controlPlaneCluster({ webhooks: true });
    await cluster.client.create(ControlPlane, controlPlaneFixture());
    assert.deepEqual(cluster.warnings, [warning]);
  });

  test('are none where there is nothing to regret', () => {
    assert.deepEqual(warningsOf(withServices('compute')), []);
    const { infrastructure } = controlPlaneFixture().spec;
    const cache = { ...infrastructure.cache, backend: 'dogpile.cache.bmemcached' };
    assert.deepEqual(warningsOf(controlPlaneFixture({ infrastructure: { ...infrastructure, cache } })), []);
  });
});
