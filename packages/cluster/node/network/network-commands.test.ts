// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeNetwork, attachToBridge, podNetwork } from './network-commands.ts';

test('the node has a bridge for its pods, and all Service addresses are local', () => {
  assert.deepEqual(nodeNetwork.slice(1), [
    'link add br0 address 0a:58:0a:f4:00:01 type bridge',
    'addr add 10.244.0.1/16 dev br0',
    'link set br0 up',
    'route add local 10.96.0.0/16 dev lo',
  ]);
});

test('a pod gets a veth pair to the bridge, with a valid interface name', () => {
  const [, cable = ''] = podNetwork('10.244.255.254');
  assert.equal(cable, 'link add eth0 type veth peer name veth0af4fffe netns 1');
  assert.deepEqual(attachToBridge('10.244.255.254'), ['link set veth0af4fffe master br0 up']);
  assert.ok('veth0af4fffe'.length <= 15);
});
