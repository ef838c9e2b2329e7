// SPDX-License-Identifier: Apache-2.0
import { CustomResourceDefinition } from '@forge/kube/kinds/builtin.ts';
import { crdOf } from '@forge/kube/kinds/crd.ts';
import { Certificate, Theme, Website, websitesOperator } from '@forge/websites/websites.ts';
import { electedProcesses, operatorProcess } from '../scenario/operator-process.ts';
import type { ProcessContext, Process, Scenario } from '../scenario/scenario.ts';

const namespace = 'default';
const blog = { namespace, name: 'blog' };

type Controllers = Parameters<typeof operatorProcess>[1];

/** The lifecycle of websites: created before their theme, changed, encrypted once possible, and deleted. */
export function websitesScenario(processes: (controllers: Controllers) => readonly Process[]): Scenario {
  return {
    async setUp(user) {
      for (const kind of [Website, Theme]) await user.create(CustomResourceDefinition, crdOf(kind));
    },
    newRun() {
      const farewells = new Set<string>();
      const promised = new Set<string>();
      const controllers = ({ outside }: ProcessContext) =>
        websitesOperator({
          farewell: (website) => outside('the guest book', () => void farewells.add(website)),
        }).controllers();
      return {
        processes: processes(controllers),
        steps: [
          async (user) => {
            for (const name of ['blog', 'shop']) {
              const metadata = { namespace, name };
              await user.create(Website, { ...typeOf(Website), metadata, spec: { text: name, theme: 'plain' } });
            }
          },
          (user) =>
            user.create(Theme, { ...typeOf(Theme), metadata: { namespace, name: 'plain' }, spec: { color: 'red' } }),
          (user) => user.patch(Website, blog, 'merge', { spec: { text: 'News' } }),
          (user) => user.create(CustomResourceDefinition, crdOf(Certificate)),
          (user) =>
            user.create(Certificate, { ...typeOf(Certificate), metadata: { namespace, name: 'shop' }, spec: {} }),
          (user) => user.delete(Website, blog),
        ],
        rules: {
          'a website goes only after the farewell it was promised': (cluster) => {
            const { finalizers = [] } = cluster.find(Website, blog)?.metadata ?? {};
            if (finalizers.length > 0) promised.add('blog');
            return finalizers.length > 0 || promised.isSubsetOf(farewells);
          },
        },
        // A website that was created and deleted without being observed gets no farewell.
        outside: () => [...farewells.symmetricDifference(promised)],
      };
    },
  };
}

/** One process, as on a developer's machine. */
export const alone = websitesScenario((controllers) => [operatorProcess('websites', controllers)]);

/** Two replicas with leader election. */
export const elected = websitesScenario((controllers) => electedProcesses('websites', controllers));

function typeOf<K extends { apiVersion: string; kind: string }>({
  apiVersion,
  kind,
}: K): Pick<K, 'apiVersion' | 'kind'> {
  return { apiVersion, kind };
}
