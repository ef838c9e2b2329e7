// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { decideRelease, servingTagOf, type ReleaseDecision, type UpgradePhase } from './release-decision.ts';

/** The decision in words. */
function textOf(decision: ReleaseDecision): string {
  switch (decision.action) {
    case 'sync':
      return 'sync';
    case 'stayAhead':
      return `stay ahead of ${decision.from} for ${decision.target}`;
    case 'refuse':
      return `refuse: ${decision.refusal.statement.reason}`;
    case 'start':
      return `start ${decision.upgrade.from} → ${decision.upgrade.to}`;
    case 'retarget':
      return `retarget in ${decision.phase}`;
    case 'run':
    case 'abort':
      return `${decision.action} ${decision.phase} of ${decision.upgrade.from} → ${decision.upgrade.to}`;
  }
}

const messageOf = (decision: ReleaseDecision) =>
  decision.action === 'refuse' ? decision.refusal.statement.message : '';

const during = (upgradePhase: UpgradePhase) =>
  ({ installedRelease: '2025.1', targetRelease: '2025.2', upgradePhase }) as const;

describe('what is done about a tag', () => {
  for (const [installedRelease, tag, expected] of [
    [undefined, '2025.2', 'sync'],
    [undefined, 'latest', 'sync'],
    ['2025.2', '2025.2', 'sync'],
    ['latest', 'latest', 'sync'],
    ['2025.2', '2025.2-p1', 'sync'],
    ['latest', '2025.2', 'refuse: VersionParseError'],
    ['2025.2', 'latest', 'refuse: VersionParseError'],
    ['2026.1', '2025.2', 'refuse: DowngradeNotSupported'],
    ['2025.1', '2025.2', 'start 2025.1 → 2025.2'],
    ['2025.2', '2026.1-p3', 'start 2025.2 → 2026.1-p3'],
    ['2025.1', '2026.1', 'refuse: UpgradePathInvalid'],
    ['2024.2', '2026.1', 'refuse: UpgradePathInvalid'],
    ['2026.1', '2027.2', 'refuse: UpgradePathInvalid'],
  ] as const) {
    test(`${tag} on ${installedRelease ?? 'an empty database'}: ${expected}`, () => {
      const status = installedRelease === undefined ? {} : { installedRelease };
      assert.equal(textOf(decideRelease(tag, status)), expected);
    });
  }

  test('says which of the two releases cannot be read', () => {
    assert.equal(
      messageOf(decideRelease('2025.2', { installedRelease: 'abc' })),
      'failed to parse installed release "abc": invalid release format "abc": expected YYYY.N',
    );
    assert.equal(
      messageOf(decideRelease('2025.3', { installedRelease: '2025.2' })),
      'failed to parse target release "2025.3": invalid release minor version 3 in "2025.3": must be 1 or 2',
    );
  });
});

describe('a tag during an upgrade', () => {
  for (const [tag, expected] of [
    ['2025.2', 'run Migrating of 2025.1 → 2025.2'],
    ['2025.1', 'abort Migrating of 2025.1 → 2025.2'],
    ['2025.2-p1', 'retarget in Migrating'],
    ['2025.1-p1', 'refuse: UpgradeTargetChanged'],
    ['2026.1', 'refuse: UpgradeTargetChanged'],
    ['latest', 'refuse: UpgradeTargetChanged'],
  ] as const) {
    test(`${tag}: ${expected}`, () => assert.equal(textOf(decideRelease(tag, during('Migrating'))), expected));
  }

  test('has the old release serve until the rolling update', () => {
    assert.deepEqual(
      (['Expanding', 'Migrating', 'RollingUpdate', 'Contracting'] as const).map((phase) =>
        servingTagOf(during(phase), '2027.1'),
      ),
      ['2025.1', '2025.1', '2025.2', '2025.2'],
    );
  });

  test('is a fault in a phase that nobody knows', () => {
    const status = { ...during('Expanding'), upgradePhase: 'Sleeping' as UpgradePhase };
    assert.throws(() => decideRelease('2025.2', status), { message: 'unknown upgrade phase "Sleeping"' });
  });
});

describe('a schema that an aborted upgrade has expanded', () => {
  const status = { installedRelease: '2025.1', expandedRelease: '2025.2' };

  for (const [tag, expected] of [
    ['2025.1', 'stay ahead of 2025.1 for 2025.2'],
    ['2025.1-p1', 'stay ahead of 2025.1 for 2025.2'],
    ['2025.2', 'start 2025.1 → 2025.2'],
    ['2024.2', 'refuse: DowngradeNotSupported'],
  ] as const) {
    test(`${tag}: ${expected}`, () => assert.equal(textOf(decideRelease(tag, status)), expected));
  }
});
