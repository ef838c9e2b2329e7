// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ControlPlane } from '../control-plane.ts';
import { controlPlaneCluster } from '../test/control-plane-cluster.ts';
import { controlPlaneFixture, home } from '../test/control-plane-fixture.ts';
import { skippedReleases } from './skipped-releases.ts';

/** A ControlPlane of the release, with an image of the tag if there is one. */
const of = (openStackRelease: string, tag?: string) =>
  controlPlaneFixture({
    openStackRelease,
    services: { keystone: { ...(tag !== undefined && { image: { repository: 'keystone', tag } }) } },
  });

describe('a warning about a release that Keystone cannot upgrade to', () => {
  for (const [name, now, before, next] of [
    ['that skips one', of('2026.2'), of('2025.2'), '2026.1'],
    ['that skips the second of a year', of('2026.1'), of('2025.1'), '2025.2'],
    ['that skips one when the image is removed', of('2026.2'), of('2026.2', '2025.2'), '2026.1'],
  ] as const) {
    test(`is given for one ${name}, with the way out`, () => {
      const [warning = '', ...others] = skippedReleases(now, before);
      assert.match(
        warning,
        new RegExp(
          `^spec\\.openStackRelease: ${now.spec.openStackRelease} is not .*keystone\\.image to ${next}, or to`,
        ),
      );
      assert.deepEqual(others, []);
    });
  }

  test('is given for one that does not exist', () => {
    assert.deepEqual(skippedReleases(of('2025.3'), of('2025.2')), [
      'spec.openStackRelease: there is no OpenStack 2025.3, and the field cannot be lowered again; set it to 2026.1, or the tag ' +
        'of spec.services.keystone.image to 2025.2 to stay',
    ]);
  });

  for (const [name, now, before] of [
    ['the next release', of('2026.1'), of('2025.2')],
    ['the same release', of('2025.2'), of('2025.2')],
    ['an older one, which is refused', of('2025.1'), of('2025.2')],
    ['one that the image stands before', of('2026.2', '2026.1'), of('2025.2')],
    ['the one after that of a removed image', of('2026.2'), of('2026.2', '2026.1-p1')],
    ['the first release', of('2026.2'), undefined],
    ['a removed image of no release', of('2026.2'), of('2026.2', 'latest')],
  ] as const) {
    test(`is not given for ${name}`, () => assert.deepEqual(skippedReleases(now, before), []));
  }

  test('reaches the user, and the write is allowed', async () => {
    await using cluster = await controlPlaneCluster({ webhooks: true });
    const { client, warnings } = cluster;
    await client.create(ControlPlane, controlPlaneFixture());
    warnings.length = 0;
    await client.patch(ControlPlane, home, 'merge', { spec: { openStackRelease: '2026.2' } });
    assert.match(warnings.join('\n'), /spec\.openStackRelease: 2026\.2 is not the release after 2025\.2/);
  });
});
