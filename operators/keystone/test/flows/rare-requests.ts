// SPDX-License-Identifier: Apache-2.0
import { test } from 'node:test';
import type { ApiRequest } from '@forge/kube/client/transport.ts';
import { ConfigMap, CronJob, Job } from '@forge/kube/kinds/builtin.ts';
import type { CatalogObserver } from '@forge/runtime/conditions/condition-catalog.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { Keystone } from '../../api/keystone.ts';
import { allReady, createKeystone, home, startKeystoneOperator, namesIn } from '../start-keystone-operator.ts';

/** Requests that the ordinary lifecycle of a Keystone does not need. */
export function rareRequestFlows(observer: CatalogObserver): void {
  test('covers creations whose answer was lost: what exists already is taken', async () => {
    const lost = new Set<string>();
    await using operator = await startKeystoneOperator(undefined, {
      observer,
      // The first request of each kind reaches the server, and its answer is lost.
      async before({ method, path, body }: ApiRequest) {
        const kind = [ConfigMap, Job].find(({ plural }) => path.endsWith(`/${plural}`));
        if (method !== 'POST' || kind === undefined || lost.has(kind.kind)) return;
        lost.add(kind.kind);
        await operator.cluster.client.create<ConfigMap | Job>(kind, body as ConfigMap | Job);
      },
    });
    await createKeystone(operator);
    await operator.untilCondition('Ready', allReady);
  });

  test('covers what goes: old configurations, and the purge of trusts', async () => {
    await using operator = await startKeystoneOperator(undefined, { observer });
    const { client, clock } = operator.cluster;
    await createKeystone(operator);
    await operator.untilCondition('Ready', allReady);
    for (const size of [1, 2, 3, 4, 5]) {
      const extraConfig = { DEFAULT: { max_token_size: String(size) } };
      await client.patch(Keystone, home, 'merge', { spec: { extraConfig } });
      await clock.advance(seconds(45));
    }
    await client.patch(Keystone, home, 'merge', { spec: { trustFlush: null } });
    await clock.until(async () => !(await namesIn(operator, CronJob)).includes('identity-trust-flush'));
  });
}
