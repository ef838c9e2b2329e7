// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Allowance } from './allowed-traffic.ts';
import { numberOf } from './ipv4.ts';
import { policyRules } from './policy-rules.ts';

const addresses = (from: string, to = from) => ({ from: numberOf(from), to: numberOf(to) });
const ports = (protocol: string, from: number, to = from) => ({ protocol, from, to });
const refuse = 'reject with icmp admin-prohibited';

/** The rules of a pod with these allowances, each set by its elements. */
function ingressRules(...ingress: Allowance[]): string[] {
  const { maps, sets } = policyRules(new Map([['10.244.0.2', { ingress }]]));
  const rules = maps['ingress']?.get('10.244.0.2') ?? [];
  return rules.map((rule) =>
    rule.replaceAll(/@(\S+)/g, (_, name: string) => `{ ${sets?.get(name)?.elements.join(', ')} }`),
  );
}

describe('the rules of policies', () => {
  test('return allowed traffic, to be checked for the other side, and refuse the rest', () => {
    const { maps } = policyRules(
      new Map([
        ['10.244.0.2', { ingress: [], egress: [{}] }],
        ['10.244.0.4', { egress: [] }],
      ]),
    );
    assert.deepEqual([...(maps['ingress'] ?? [])], [['10.244.0.2', [refuse]]]);
    assert.deepEqual(
      [...(maps['egress'] ?? [])],
      [
        ['10.244.0.2', ['return', refuse]],
        ['10.244.0.4', [refuse]],
      ],
    );
    assert.deepEqual([...(maps['self']?.keys() ?? [])], ['10.244.0.2 . 10.244.0.2', '10.244.0.4 . 10.244.0.4']);
  });

  test('match the sender of what a pod receives, and the receiver of what it sends', () => {
    const allowance = { peers: [addresses('10.244.0.9')], ports: [ports('TCP', 80)] };
    const { maps } = policyRules(new Map([['10.244.0.2', { ingress: [allowance], egress: [allowance] }]]));
    assert.match(maps['ingress']?.get('10.244.0.2')?.[0] ?? '', /^ip saddr @\S+ tcp dport @\S+ return$/);
    assert.match(maps['egress']?.get('10.244.0.2')?.[0] ?? '', /^ip daddr @\S+ tcp dport @\S+ return$/);
  });

  test('match peers by one set, and ports by one for each protocol', () => {
    const peers = [addresses('10.0.0.0', '10.0.255.255'), addresses('10.244.0.9')];
    assert.deepEqual(
      ingressRules({
        peers,
        ports: [
          ports('TCP', 80),
          ports('UDP', 0, 65_535),
          ports('SCTP', 1, 9),
          ports('TCP', 70, 85),
          ports('TCP', 443),
        ],
      }),
      [
        'ip saddr { 10.0.0.0-10.0.255.255, 10.244.0.9 } tcp dport { 70-85, 443 } return',
        'ip saddr { 10.0.0.0-10.0.255.255, 10.244.0.9 } meta l4proto udp return',
        'ip saddr { 10.0.0.0-10.0.255.255, 10.244.0.9 } sctp dport { 1-9 } return',
        refuse,
      ],
    );
  });

  test('grow with the sum of peers and ports, not with their product', () => {
    const many = Array.from({ length: 3000 }, (_, index) => index * 2 + 1);
    const allowance = {
      peers: many.map((number) => ({ from: number, to: number })),
      ports: many.map((number) => ports('TCP', number)),
    };
    const { maps, sets } = policyRules(
      new Map([['10.244.0.2', { ingress: [allowance, allowance], egress: [allowance] }]]),
    );
    assert.equal(maps['ingress']?.get('10.244.0.2')?.length, 2);
    assert.deepEqual(
      [...(sets?.values() ?? [])].map(({ elements }) => elements.length),
      [3000, 3000],
    );
  });
});
