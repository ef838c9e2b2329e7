// SPDX-License-Identifier: Apache-2.0
import { CustomResourceDefinition } from '@forge/kube/kinds/builtin.ts';
import { crdOf } from '@forge/kube/kinds/crd.ts';
import type { ScenarioSet } from '@forge/simulation/run/scenario-set.ts';
import { operatorProcess } from '@forge/simulation/scenario/operator-process.ts';
import type { Scenario } from '@forge/simulation/scenario/scenario.ts';
import { OpenBaoCluster } from '../../api/openbao-cluster.ts';
import { openbaoController } from '../../reconcile.ts';
import { home, openbaoFixture } from '../openbao-fixture.ts';

/** An OpenBaoCluster is created and gets another setting. */
const change: Scenario = {
  async setUp(user) {
    await user.create(CustomResourceDefinition, crdOf(OpenBaoCluster));
  },
  newRun: () => ({
    processes: [operatorProcess('openbao', () => [openbaoController({ reading: {}, acting: {} })])],
    steps: [
      (user) => user.create(OpenBaoCluster, openbaoFixture()),
      (user) => user.patch(OpenBaoCluster, home, 'merge', { spec: { config: { ui: 'false' } } }),
    ],
  }),
};

/** All that is simulated. */
export const openbaoScenarios: ScenarioSet = { operator: 'openbao', scenarios: { change }, starts: ['change'] };
