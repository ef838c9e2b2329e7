// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ServiceSpec } from '@forge/kube/generated/types.ts';
import type { Pod, Service } from '@forge/kube/kinds/builtin.ts';
import { at, pod, readyAt } from '../test/pods.ts';
import { endpointSlicesOf } from './endpoint-slices-of.ts';

function service(spec: ServiceSpec): Service {
  return { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web', namespace: 'default' }, spec };
}

function serving(name: string, podIP: string, containerPort = 8080): Pod {
  const base = pod(name, {}, { ...readyAt(0), podIP });
  return {
    ...base,
    spec: { nodeName: 'fake', containers: [{ name: 'main', ports: [{ name: 'http', containerPort }] }] },
  };
}

const named = service({ ports: [{ name: 'api', port: 80, targetPort: 'http', protocol: 'TCP' }] });

describe('the slices of a Service', () => {
  test('list each pod once, by address, node and reference, with the resolved port', () => {
    assert.deepEqual(endpointSlicesOf(named, [serving('b', '10.0.0.2'), serving('a', '10.0.0.1')]), [
      {
        ports: [{ name: 'api', port: 8080, protocol: 'TCP' }],
        endpoints: ['a', 'b'].map((name, index) => ({
          addresses: [`10.0.0.${index + 1}`],
          conditions: { ready: true, serving: true, terminating: false },
          nodeName: 'fake',
          targetRef: { kind: 'Pod', name, namespace: 'default', uid: name },
        })),
      },
    ]);
  });

  test('are split when pods map a named port differently', () => {
    const slices = endpointSlicesOf(named, [serving('a', '10.0.0.1'), serving('b', '10.0.0.2', 9090)]);
    assert.deepEqual(
      slices.map(({ ports }) => ports.map(({ port }) => port)),
      [[8080], [9090]],
    );
  });

  test('are one empty slice when there are no pods, none with an address, or only finished ones', () => {
    const finished = { ...serving('a', '10.0.0.1'), status: { phase: 'Succeeded', podIP: '10.0.0.1' } };
    for (const pods of [[], [pod('a')], [finished]]) {
      assert.deepEqual(endpointSlicesOf(named, pods), [{ ports: [], endpoints: [] }]);
    }
  });

  const terminating = { ...serving('a', '10.0.0.1'), metadata: { ...pod('a').metadata, deletionTimestamp: at(30) } };
  const unready = pod('a', {}, { phase: 'Running', podIP: '10.0.0.1' });
  const cases: [string, Pod, boolean, { ready: boolean; serving: boolean; terminating: boolean }][] = [
    ['an unready pod', unready, false, { ready: false, serving: false, terminating: false }],
    ['an unready pod that is published anyway', unready, true, { ready: true, serving: false, terminating: false }],
    ['a terminating pod that still serves', terminating, false, { ready: false, serving: true, terminating: true }],
  ];
  for (const [title, member, publishNotReadyAddresses, conditions] of cases) {
    test(`have the conditions of ${title}`, () => {
      const [slice] = endpointSlicesOf(service({ publishNotReadyAddresses, ports: [{ port: 80 }] }), [member]);
      assert.deepEqual(slice?.endpoints[0]?.conditions, conditions);
      assert.deepEqual(slice.ports, [{ name: '', port: 80, protocol: 'TCP' }]);
    });
  }
});
