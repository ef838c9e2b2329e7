// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pod } from '@forge/kube/kinds/builtin.ts';
import { hostnameOf, hostsFile } from './pod-files.ts';

const pod: Pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'bao-0', namespace: 'openstack' },
  spec: {
    containers: [],
    hostname: 'bao-0',
    subdomain: 'bao',
    hostAliases: [{ ip: '10.0.0.1', hostnames: ['a', 'b'] }],
  },
};

test("/etc/hosts has the pod's name, in full with a subdomain, and its aliases", () => {
  assert.deepEqual(hostsFile(pod, '10.244.0.2').split('\n').slice(2), [
    '10.244.0.2\tbao-0.bao.openstack.svc.cluster.local\tbao-0',
    '10.0.0.1\ta\tb',
    '',
  ]);
});

test('a host name longer than the kernel allows is truncated and does not end with a dash', () => {
  const name = `${'x'.repeat(62)}-y`;
  assert.equal(hostnameOf({ ...pod, metadata: { name }, spec: { containers: [] } }), 'x'.repeat(62));
});
