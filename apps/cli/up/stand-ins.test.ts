// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseStandInNames, standInNames } from './stand-ins.ts';

describe('--without-stand-ins', () => {
  test('accepts the names of stand-ins, separated by commas', () => {
    assert.deepEqual(
      [...parseStandInNames('external-secrets, mariadb-operator')],
      ['external-secrets', 'mariadb-operator'],
    );
  });

  test('rejects another name as a wrong command line, and lists all names', () => {
    assert.throws(() => parseStandInNames('mariadb-operator,external-secret'), {
      code: 2,
      message: `--without-stand-ins: there is no stand-in "external-secret". The stand-ins are ${standInNames.join(', ')}.`,
    });
  });
});
