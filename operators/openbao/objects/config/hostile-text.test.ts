// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { OpenBaoCluster } from '../../api/openbao-cluster.ts';
import { hostileClusters } from '../../test/hcl/hostile-clusters.ts';
import { intendedTree } from '../../test/hcl/intended-tree.ts';
import { parseHcl } from '../../test/hcl/parse-hcl.ts';
import { configHcl } from './config-hcl.ts';

const render = (cluster: OpenBaoCluster) =>
  configHcl(cluster, { joins: { with: 'any-pod', pod: 'demo-0' }, audit: true });

/** The same value with the keys of every object in reverse order. */
const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, each]) => [key, reversed(each)]),
  );
};

describe('config.hcl with hostile text in every field', () => {
  test('means what was meant, in 2,000 specs', () => {
    fc.assert(
      fc.property(hostileClusters, (cluster) => {
        assert.deepEqual(parseHcl(render(cluster)), intendedTree(cluster));
      }),
      { numRuns: 2000, seed: 29 },
    );
  });

  test('does not depend on the order in which a spec was written', () => {
    fc.assert(
      fc.property(hostileClusters, (cluster) => {
        assert.equal(render(reversed(cluster) as OpenBaoCluster), render(cluster));
      }),
      { numRuns: 200, seed: 29 },
    );
  });
});
