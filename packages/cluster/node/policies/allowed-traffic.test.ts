// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { policyCases, withIngress } from '../test/policies/policy-cases.ts';
import { addressOf, connection, namespaces, pods, type Connection } from '../test/policies/policy-world.ts';
import { allowedTraffic, type Allowance, type PodTraffic } from './allowed-traffic.ts';
import { dnsPod } from './dns-pod.ts';
import { numberOf } from './ipv4.ts';
import type { Range } from './ranges.ts';

const everyPod = [dnsPod, ...Object.values(pods)];

const includes = (ranges: readonly Range[], number: number) =>
  ranges.some(({ from, to }) => from <= number && number <= to);

function permits(allowances: readonly Allowance[] | undefined, peer: string, { protocol, port }: Connection): boolean {
  if (allowances === undefined) return true;
  return allowances.some(({ peers, ports }) => {
    const ofProtocol = ports?.filter((range) => range.protocol.toLowerCase() === protocol);
    return (
      (peers === undefined || includes(peers, numberOf(peer))) &&
      (ofProtocol === undefined || includes(ofProtocol, port))
    );
  });
}

/** Whether the packet filter would allow the traffic; a Service stands for its pod. */
function passes(traffic: ReadonlyMap<string, PodTraffic>, text: string): boolean {
  const asked = connection(text);
  const actual = asked.to === 'identity' ? { ...asked, to: 'api', port: 5000 } : asked;
  const [from = '', to = ''] = [addressOf[actual.from], addressOf[actual.to]];
  if (from === to || actual.from === 'node') return true;
  return permits(traffic.get(from)?.egress, to, actual) && permits(traffic.get(to)?.ingress, from, actual);
}

describe('allowed traffic', () => {
  for (const { name, policies, allowed, refused } of policyCases) {
    test(name, () => {
      const traffic = allowedTraffic({ pods: everyPod, namespaces, policies });
      assert.deepEqual(
        [...allowed, ...refused].filter((text) => passes(traffic, text)),
        allowed,
      );
    });
  }

  test('a pod in an unknown namespace is not a peer', () => {
    const policies = withIngress([{ from: [{ namespaceSelector: {} }] }]);
    const traffic = allowedTraffic({ pods: everyPod, namespaces: [], policies });
    assert.equal(passes(traffic, 'front > api tcp/5000'), false);
  });
});
