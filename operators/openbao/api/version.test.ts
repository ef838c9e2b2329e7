// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { compareVersions, highestVersion, isVersion } from './version.ts';

describe('a version of OpenBao', () => {
  test('has three numbers, perhaps a leading v, a pre-release and a build', () => {
    for (const text of ['2.7.2', 'v2.7.2', '2.7.2-beta.1', '2.7.2+build.5', '10.0.11-rc1+x'])
      assert.ok(isVersion(text), text);
    for (const text of ['', '2', '2.7', '2.7.2.1', '2.7.x', 'latest', 'vv2.7.2', '2.7.2-', '-2.7.2'])
      assert.ok(!isVersion(text), text);
  });

  test('is ordered by its numbers, then by its pre-release; the build does not count', () => {
    const ascending = [
      '2.6.2',
      '2.7.0-alpha',
      '2.7.0-alpha.1',
      '2.7.0-alpha.beta',
      '2.7.0-beta.2',
      '2.7.0-beta.11',
      '2.7.0',
      '2.10.0',
      '10.0.0',
    ];
    for (const [index, one] of ascending.entries()) {
      for (const [position, other] of ascending.entries()) {
        assert.equal(Math.sign(compareVersions(one, other)), Math.sign(index - position), `${one} ${other}`);
      }
    }
    assert.equal(compareVersions('v2.7.2+a', '2.7.2+b'), 0);
  });

  test('what is none is lower than any, and never the highest', () => {
    assert.ok(compareVersions('latest', '0.0.1') < 0);
    assert.equal(highestVersion(['2.6.2', undefined, 'latest', '2.7.2', '2.7.2-rc1']), '2.7.2');
    assert.equal(highestVersion([undefined, 'latest']), undefined);
  });
});
