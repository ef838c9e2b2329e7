// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seals, sealTypes } from './seals.ts';

test('no credential of a seal can be written into the resource; each has a key of the Secret, which is the variable of the server', () => {
  const credentials = sealTypes.flatMap((type) =>
    Object.entries(seals[type].fields).flatMap(([field, { credential, attribute }]) =>
      credential === undefined ? [] : [[`${type} ${field}`, credential, attribute]],
    ),
  );
  assert.deepEqual(credentials, [
    ['awskms accessKey', 'AWS_ACCESS_KEY_ID', undefined],
    ['awskms secretKey', 'AWS_SECRET_ACCESS_KEY', undefined],
    ['awskms sessionToken', 'AWS_SESSION_TOKEN', undefined],
    ['azurekeyvault clientSecret', 'AZURE_CLIENT_SECRET', undefined],
    ['transit token', 'token', undefined],
    ['pkcs11 pin', 'BAO_HSM_PIN', undefined],
  ]);
});
