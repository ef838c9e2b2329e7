// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { missingWheels, requirementsOf } from './wheels.ts';

const lock = `oslo.cache==4.3.0 \\
    --hash=sha256:aa \\
    --hash=sha256:bb
pymysql==1.2.4 ; python_version >= "3.9" \\
    --hash=sha256:cc
`;

describe('the wheels of a lock', () => {
  it('are listed with their hashes', () => {
    const [first, second, ...others] = requirementsOf(lock);
    assert.match(first ?? '', /^oslo\.cache==4\.3\.0 [^]*bb$/);
    assert.match(second ?? '', /^pymysql==1\.2\.4 ;[^]*cc$/);
    assert.deepEqual(others, []);
  });

  it('are found under another spelling of their name', () => {
    const files = ['oslo_cache-4.3.0-py3-none-any.whl', 'PyMySQL-1.2.4-py3-none-any.whl', '.download-x'];
    assert.deepEqual(missingWheels(requirementsOf(lock), files), []);
  });

  it('are missing when only another version exists', () => {
    const missing = missingWheels(requirementsOf(lock), [
      'oslo_cache-4.2.0-py3-none-any.whl',
      'pymysql-1.2.4-py3-none-any.whl',
    ]);
    assert.deepEqual(missing, requirementsOf(lock).slice(0, 1));
  });
});
