// SPDX-License-Identifier: Apache-2.0
import type { Pod } from '@forge/kube/kinds/builtin.ts';
import { testCase, type ControllerCase, type List, type Scenario } from '../../controller-case.ts';
import { changeSet, createReadySet, killPod, makeReady, observeSettled, partition, template } from './web-set.ts';

const policies = ['OrderedReady', 'Parallel'] as const;
const endings = { corrected: 'v2', reverted: 'v1' };

/** Makes pods ready that do not have the broken image, as long as there are any. */
async function makeOthersReady(scenario: Scenario): Promise<void> {
  for (let round = 0; round < 10; round++) {
    await observeSettled(scenario);
    const { items } = await scenario.until<List<Pod>>('pods', () => true);
    const pending = items.filter(
      ({ spec, status }) => status?.phase === 'Pending' && spec?.containers[0]?.image !== 'broken',
    );
    if (pending.length === 0) return;
    await makeReady(scenario, ...pending.map(({ metadata }) => metadata.name));
  }
}

/** A template whose pods do not become ready, and what follows when it is corrected or reverted. */
export const brokenTemplateCases: readonly ControllerCase[] = policies.flatMap((podManagementPolicy) =>
  [0, 2, 3].flatMap((first) =>
    Object.entries(endings).map(([ending, image]) =>
      testCase(
        `a broken template is ${ending}: ${podManagementPolicy}, three replicas, partition ${first}`,
        async (scenario) => {
          await createReadySet(scenario, { podManagementPolicy, updateStrategy: partition(first) });
          await changeSet(scenario, { template: template('broken') });
          await observeSettled(scenario);
          await changeSet(scenario, { template: template(image) });
          await makeOthersReady(scenario);
          const { items } = await scenario.until<List<Pod>>('pods', () => true);
          const broken = items.filter(({ spec }) => spec?.containers[0]?.image === 'broken');
          for (const { metadata } of broken) await killPod(scenario, metadata.name);
          if (broken.length > 0) await makeOthersReady(scenario);
        },
      ),
    ),
  ),
);
