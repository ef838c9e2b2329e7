// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { seedCommand } from './seed-command.ts';

const options = { namespace: 'openstack', keystone: 'keystone', mount: 'kv-v2' };
const environment = { BAO_ADDR: 'https://127.0.0.1:1', BAO_TOKEN: 's.secret' };

describe('forge seed', () => {
  const refusals: [name: string, options: object, environment: object, message: RegExp][] = [
    ['both a Keystone and a ControlPlane', { controlPlane: 'cp' }, {}, /either --keystone or --control-plane/],
    ['no address', {}, { BAO_ADDR: undefined }, /--address or in \$BAO_ADDR/],
    ['an address without TLS', { address: 'http://bao.example.com:8200' }, {}, /is not an https URL/],
    ['no token', {}, { BAO_TOKEN: ' ' }, /\$BAO_TOKEN is not set: give a token/],
  ];
  for (const [name, more, variables, message] of refusals) {
    test(`rejects ${name} as a wrong command line`, async () => {
      const call = seedCommand({ ...options, ...more }, { ...environment, ...variables });
      await assert.rejects(call, { code: 2, message });
    });
  }

  test('names the server that does not answer, and not the token', async () => {
    await assert.rejects(seedCommand(options, environment), (error: Error) => {
      assert.match(error.message, /cannot connect to 127\.0\.0\.1 port 1 .*check that it is running/);
      assert.doesNotMatch(error.message, /s\.secret/);
      return true;
    });
  });
});
