// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigMap } from '@forge/kube/kinds/builtin.ts';
import { ready } from '../steps/outcome.ts';
import { reads } from '../steps/reads.ts';
import { siteOperator } from '../test/site-operator.ts';
import { step } from '../test/site-steps.ts';

test('a change counts once for the rate limit, however many watches it concerns', async () => {
  await using operator = await siteOperator();
  const seen: (string | undefined)[] = [];
  const steps = Array.from({ length: 40 }, (_, index) =>
    step({
      name: `Reader${index}`,
      reads: [reads(ConfigMap, () => ['shared'])],
      async run({ get }) {
        if (index === 0) seen.push(get(ConfigMap, 'shared')?.data?.['text']);
        return ready('Fine', '');
      },
    }),
  );
  await operator.start(...steps);
  const { client, clock } = operator.cluster;
  const metadata = { namespace: 'default', name: 'shared' };
  await client.create(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata });
  for (const text of ['a', 'b', 'c', 'd', 'e']) {
    await client.patch(ConfigMap, metadata, 'merge', { data: { text } });
    await clock.settle();
    assert.equal(seen.at(-1), text);
  }
});
