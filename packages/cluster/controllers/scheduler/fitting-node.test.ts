// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Node } from '@forge/kube/kinds/builtin.ts';
import { pod } from '../test/pods.ts';
import { fittingNode } from './fitting-node.ts';

function node(name: string, { ready = 'True', labels = {}, unschedulable = false } = {}): Node {
  const status = { conditions: [{ type: 'Ready', status: ready }] };
  return { apiVersion: 'v1', kind: 'Node', metadata: { name, labels }, spec: { unschedulable }, status };
}

const plain = pod('plain');
const selective = { ...plain, spec: { containers: [], nodeSelector: { disk: 'fast' } } };

describe('the node for a pod', () => {
  test('is the ready one with the fewest pods', () => {
    const nodes = [node('a'), node('b'), node('c', { ready: 'Unknown' })];
    assert.deepEqual(
      fittingNode(plain, nodes, (name) => ({ a: 2, b: 1 })[name] ?? 0),
      { node: 'b' },
    );
  });

  test("has the labels of the pod's nodeSelector", () => {
    const nodes = [node('a'), node('b', { labels: { disk: 'fast' } })];
    assert.deepEqual(
      fittingNode(selective, nodes, () => 0),
      { node: 'b' },
    );
  });

  test('is none when there are no nodes', () => {
    assert.deepEqual(
      fittingNode(plain, [], () => 0),
      { unschedulable: 'no nodes available to schedule pods' },
    );
  });

  test('is none when every node has an obstacle, and the obstacles are counted', () => {
    const nodes = [node('a'), node('b', { ready: 'False' }), node('c', { unschedulable: true }), node('d')];
    const message =
      "0/4 nodes are available: 1 node(s) were not ready, 1 node(s) were unschedulable, 2 node(s) didn't match Pod's node affinity/selector.";
    assert.deepEqual(
      fittingNode(selective, nodes, () => 0),
      { unschedulable: message },
    );
  });
});
