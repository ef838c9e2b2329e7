// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Pod } from '@forge/kube/kinds/builtin.ts';
import { at, pod, readyAt } from '../test/pods.ts';
import { scaleDownOrder } from './scale-down-order.ts';

const cost = (value: string) => ({ annotations: { 'controller.kubernetes.io/pod-deletion-cost': value } });

describe('the order in which pods are deleted', () => {
  const unbound: Pod = { ...pod('unbound'), spec: { containers: [] } };
  const cases: [string, Pod, Pod][] = [
    ['a pod without a node before one on a node', unbound, pod('bound')],
    ['a pending pod before a running one', pod('pending', {}, { phase: 'Pending' }), pod('running')],
    ['a pod that is not ready before a ready one', pod('unready'), pod('ready', {}, readyAt(0))],
    ['a pod with a lower deletion cost before one with a higher', pod('cheap', cost('-5')), pod('expensive')],
    [
      'a pod that became ready later before one that became ready earlier',
      pod('late', {}, readyAt(9)),
      pod('early', {}, readyAt(3)),
    ],
    ['a newer pod before an older one', pod('newer', { creationTimestamp: at(5) }), pod('older')],
  ];
  for (const [title, first, second] of cases) {
    test(`puts ${title}`, () => {
      assert.deepEqual(scaleDownOrder([second, first]), [first, second]);
      assert.deepEqual(scaleDownOrder([first, second]), [first, second]);
    });
  }
});
