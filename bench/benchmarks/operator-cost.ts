// SPDX-License-Identifier: Apache-2.0
import { Keystone } from '@forge/keystone/api/keystone.ts';
import { CustomResourceDefinition, Namespace } from '@forge/kube/kinds/builtin.ts';
import { crdOf } from '@forge/kube/kinds/crd.ts';
import { costOfMany } from '../harness/cost-of-many.ts';
import { costToReady } from '../harness/cost-to-ready.ts';
import { createKeystone } from '../harness/create-keystone.ts';
import type { Figure } from '../harness/figure.ts';
import { instantControllers } from '../harness/instant-controllers.ts';
import { settledOperator, type Settled } from '../harness/settled-operator.ts';
import { healthyKeystones } from '../programs/healthy-keystones.ts';

const rounds = 5;
const [few, many] = [10, 1000];

/**
 * CPU time of the keystone operator: for a new Keystone, and for a reconcile without a change with few and many
 * Keystones.
 */
export async function operatorCost(): Promise<Figure[]> {
  const program = new URL('../programs/serve-new-keystones.ts', import.meta.url);
  const samples = await costToReady({ operator: 'keystone-operator', program, created: 10, rounds });
  return [
    { what: 'CPU time of an operator per Keystone to Ready', samples, unit: 's', goal: { atMost: 0.1 } },
    await costOfMany({ resources: 'Keystones', few, many, rounds, settled: settledKeystones }),
  ];
}

/** The keystone operator with this many ready Keystones. */
async function settledKeystones(count: number): Promise<Settled> {
  return await settledOperator({
    async create(user) {
      const namespace = 'openstack';
      await user.create(CustomResourceDefinition, crdOf(Keystone));
      await user.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
      for (let each = 0; each < count; each += 1) await createKeystone(user, { namespace, name: `identity-${each}` });
    },
    controllers: healthyKeystones(),
    cluster: instantControllers,
  });
}
