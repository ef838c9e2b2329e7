// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeNetwork, podNetwork, routeToPod } from './network-commands.ts';

test('the node has an address, and all Service addresses are local', () => {
  assert.deepEqual(nodeNetwork.slice(1), [
    'addr add 10.244.0.1/32 dev lo',
    'route add local 10.96.0.0/16 dev lo src 10.244.0.1',
  ]);
});

test('a pod gets a veth pair to the node with a valid interface name, and a route to it', () => {
  const [, cable = ''] = podNetwork('10.244.255.254');
  assert.equal(cable, 'link add eth0 type veth peer name veth0af4fffe netns 1');
  assert.deepEqual(routeToPod('10.244.255.254'), [
    'link set veth0af4fffe up',
    'route add 10.244.255.254 dev veth0af4fffe src 10.244.0.1',
  ]);
  assert.ok('veth0af4fffe'.length <= 15);
});
