// SPDX-License-Identifier: Apache-2.0
import { CustomResourceDefinition } from '@forge/kube/kinds/builtin.ts';
import { crdOf } from '@forge/kube/kinds/crd.ts';
import type { ScenarioSet } from '@forge/simulation/run/scenario-set.ts';
import { operatorProcess } from '@forge/simulation/scenario/operator-process.ts';
import type { Scenario } from '@forge/simulation/scenario/scenario.ts';
import { Specimen } from '../../api/specimen.ts';
import { specimenController } from '../../reconcile.ts';
import { home, specimenFixture } from '../specimen-fixture.ts';

/** A Specimen is created and gets another text. */
const change: Scenario = {
  async setUp(user) {
    await user.create(CustomResourceDefinition, crdOf(Specimen));
  },
  newRun: () => ({
    processes: [operatorProcess('specimen', () => [specimenController({ reading: {}, acting: {} })])],
    steps: [
      (user) => user.create(Specimen, specimenFixture()),
      (user) => user.patch(Specimen, home, 'merge', { spec: { text: 'Bye' } }),
    ],
  }),
};

/** All that is simulated. */
export const specimenScenarios: ScenarioSet = { operator: 'specimen', scenarios: { change }, starts: ['change'] };
