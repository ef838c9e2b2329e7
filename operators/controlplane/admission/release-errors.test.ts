// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Keystone } from '@forge/keystone/api/keystone.ts';
import { ControlPlane } from '../api/control-plane.ts';
import { keystoneChild } from '../objects/keystone-child.ts';
import { controlPlaneCluster } from '../test/control-plane-cluster.ts';
import { controlPlaneFixture, home } from '../test/control-plane-fixture.ts';
import { releaseErrors } from './release-errors.ts';

/** A ControlPlane of the release, with an image of the tag if there is one. */
const of = (openStackRelease: string, tag?: string) =>
  controlPlaneFixture({
    openStackRelease,
    services: { keystone: { ...(tag !== undefined && { image: { repository: 'keystone', tag } }) } },
  });

/** A Keystone with this release installed. */
const having = (installedRelease?: string): Keystone => ({
  ...keystoneChild(of('2025.2'), undefined),
  status: installedRelease === undefined ? {} : { installedRelease },
});

const skip = (to: string, installed: string, next: string) =>
  `openStackRelease "${to}" skips a release: "${installed}" is installed, and Keystone is upgraded one release at a time; set "${next}" first`;
const downgrade = (from: string, to: string) =>
  `openStackRelease downgrade from "${from}" to "${to}" is not permitted; Keystone DB migrations are not reversible`;

describe('a change of the release', () => {
  for (const [name, now, before, keystone, message] of [
    ['one that skips', of('2026.2'), of('2025.2'), having('2025.2'), skip('2026.2', '2025.2', '2026.1')],
    ['one within a year', of('2026.1'), of('2025.1'), having('2025.1'), skip('2026.1', '2025.1', '2025.2')],
    ['another skip after one', of('2027.1'), of('2026.2'), having('2025.2'), skip('2027.1', '2025.2', '2026.1')],
    [
      'a skip by a removed image',
      of('2026.2'),
      of('2026.2', '2025.2'),
      having('2025.2'),
      skip('2026.2', '2025.2', '2026.1'),
    ],
    ['one below what is installed', of('2025.1'), of('2026.1'), having('2025.2-p1'), downgrade('2025.2-p1', '2025.1')],
    [
      'one below what was wanted, of no known Keystone',
      of('2025.1'),
      of('2025.2'),
      undefined,
      downgrade('2025.2', '2025.1'),
    ],
    [
      'one that never was',
      of('2025.3'),
      of('2025.2'),
      having('2025.2'),
      'there is no OpenStack "2025.3", there are two releases a year; "2025.2" is installed: set "2026.1" to upgrade',
    ],
  ] as const) {
    test(`is refused: ${name}`, () => {
      const errors = releaseErrors(now, before, keystone);
      assert.deepEqual(
        errors.map(({ field, message: text }) => [field, text.replace(/^Invalid value: "[^"]*": /, '')]),
        [['spec.openStackRelease', message]],
      );
    });
  }

  for (const [name, now, before, keystone] of [
    ['the next release', of('2026.1'), of('2025.2'), having('2025.2')],
    ['the next release after a skip that was stored', of('2026.1'), of('2027.1'), having('2025.2')],
    ['the installed release after a skip that was stored', of('2025.2'), of('2027.1'), having('2025.2-p1')],
    ['the installed release during an upgrade', of('2025.2'), of('2026.1'), having('2025.2')],
    ['a skip that was stored, and stays', of('2027.1'), of('2027.1'), having('2025.2')],
    ['any release while none is installed', of('2025.1'), of('2027.1'), having()],
    ['any release after one that is none', of('2025.1'), of('2027.1'), having('latest')],
    ['a skip while no Keystone is known', of('2027.1'), of('2025.2'), undefined],
    ['a skip that the image stands before', of('2026.2', '2026.1'), of('2025.2'), having('2025.2')],
    ['a removed image of the release before', of('2026.2'), of('2026.2', '2026.1-p1'), having('2026.1-p1')],
  ] as const) {
    test(`is allowed: ${name}`, () => assert.deepEqual(releaseErrors(now, before, keystone), []));
  }

  test('is compared with the Keystone as it is; other changes ask for nothing', async () => {
    await using cluster = await controlPlaneCluster({ webhooks: true, kinds: [Keystone] });
    const { client, webhookRequests } = cluster;
    const { namespace } = home;
    const stored = await client.create(ControlPlane, controlPlaneFixture());
    const { metadata, ...child } = keystoneChild(stored, undefined);
    const { metadata: ref } = await client.create(Keystone, { ...child, metadata: { ...metadata, namespace } });
    const install = (installedRelease: string) =>
      client.patch(Keystone, ref, 'merge', { status: { installedRelease } }, { subresource: 'status' });
    const set = (openStackRelease: string) => client.patch(ControlPlane, home, 'merge', { spec: { openStackRelease } });
    await install('2025.2');
    await assert.rejects(set('2026.2'), /spec\.openStackRelease: Invalid value: "2026\.2": .*set "2026\.1" first/);
    await set('2026.1');
    await set('2025.2');
    await set('2026.1');
    await install('2026.1');
    await assert.rejects(set('2025.2'), /downgrade from "2026\.1" to "2025\.2" is not permitted/);
    await set('2026.2');
    webhookRequests.length = 0;
    await client.patch(ControlPlane, home, 'merge', { spec: { services: { keystone: { replicas: 5 } } } });
    assert.deepEqual(webhookRequests, []);
  });
});
