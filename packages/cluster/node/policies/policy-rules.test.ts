// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { policyRules } from './policy-rules.ts';

test('what is allowed returns to the judgement of the other side, all else is refused', () => {
  const { self, ingress, egress } = policyRules(
    new Map([
      [
        '10.244.0.2',
        {
          ingress: [
            {
              peers: {
                addresses: ['10.244.0.9', '10.244.0.3'],
                blocks: [{ cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] }],
              },
              ports: [
                { protocol: 'TCP', from: 80, to: 80 },
                { protocol: 'UDP', from: 0, to: 65_535 },
                { protocol: 'SCTP', from: 1, to: 9 },
              ],
            },
          ],
          egress: [{}],
        },
      ],
      ['10.244.0.4', { egress: [] }],
    ]),
  );
  assert.deepEqual(ingress?.get('10.244.0.2'), [
    'ip saddr { 10.244.0.3, 10.244.0.9 } tcp dport 80 return',
    'ip saddr { 10.244.0.3, 10.244.0.9 } meta l4proto udp return',
    'ip saddr { 10.244.0.3, 10.244.0.9 } sctp dport 1-9 return',
    'ip saddr 10.0.0.0/8 ip saddr != 10.1.0.0/16 tcp dport 80 return',
    'ip saddr 10.0.0.0/8 ip saddr != 10.1.0.0/16 meta l4proto udp return',
    'ip saddr 10.0.0.0/8 ip saddr != 10.1.0.0/16 sctp dport 1-9 return',
    'reject with icmp admin-prohibited',
  ]);
  assert.deepEqual(egress?.get('10.244.0.2'), ['return', 'reject with icmp admin-prohibited']);
  assert.deepEqual(egress.get('10.244.0.4'), ['reject with icmp admin-prohibited']);
  assert.equal(ingress.has('10.244.0.4'), false);
  assert.deepEqual([...(self?.keys() ?? [])], ['10.244.0.2 . 10.244.0.2', '10.244.0.4 . 10.244.0.4']);
});
