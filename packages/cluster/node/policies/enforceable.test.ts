// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NetworkPolicy } from '@forge/kube/kinds/builtin.ts';
import { enforceable } from './enforceable.ts';

const policy = (rules: number): NetworkPolicy => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: 'large', namespace: 'default' },
  spec: {
    podSelector: { matchLabels: { app: 'api' } },
    policyTypes: ['Egress'],
    egress: Array.from({ length: rules }, () => ({ to: [{ ipBlock: { cidr: '10.0.0.0/8' } }] })),
  },
});

test('a policy that is too large allows nothing in the directions that it restricts', () => {
  assert.deepEqual(enforceable(policy(100)), policy(100));
  const { podSelector, policyTypes } = policy(0).spec ?? {};
  assert.deepEqual(enforceable(policy(2000)).spec, { podSelector, policyTypes });
});
