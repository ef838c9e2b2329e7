// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { codenameOf, distributionOf } from './distribution.ts';

describe('a distribution', () => {
  it('is named by codename and Debian architecture', () => {
    assert.equal(distributionOf(codenameOf('ID=debian\nVERSION_CODENAME=bookworm\n'), 'x64'), 'bookworm-amd64');
    assert.equal(distributionOf(codenameOf('VERSION_CODENAME="noble"\n'), 'arm64'), 'noble-arm64');
  });

  it('without a codename is unknown, so that no lock applies', () => {
    assert.equal(distributionOf(codenameOf('ID=debian\nPRETTY_NAME="Debian sid"\n'), 'x64'), 'unknown-amd64');
  });
});
