// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { innerEnvironment } from './enter-container.ts';

test('variables that affect programs of the node are removed', () => {
  const env = { PATH: '/bin', LANG: 'C.UTF-8', OLD_THING: '1' };
  const unsafe = { LD_PRELOAD: '/v/x.so', GCONV_PATH: '/v', GLIBC_TUNABLES: 'x', LOCPATH: '/v', LANGUAGE: '../v' };
  assert.deepEqual(innerEnvironment({ ...env, ...unsafe }), env);
});
