// SPDX-License-Identifier: Apache-2.0
import { Pod } from '@forge/kube/kinds/builtin.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { componentLabel, components } from '../api/names.ts';
import type { OpenBaoCluster } from '../api/openbao-cluster.ts';
import { home } from './openbao-fixture.ts';
import { runningCluster } from './running-cluster.ts';
import type { StartedOpenBaoOperator } from './start-openbao-operator.ts';

type Options = Parameters<typeof runningCluster>[0];

/** The pods become voters some seconds after they are ready. */
const untilVoters = seconds(40);

/** The operator, and a cluster whose pods are all voters. */
export async function votingCluster(
  options: Options,
  spec: Partial<OpenBaoCluster['spec']> = {},
): Promise<StartedOpenBaoOperator> {
  await using stack = new AsyncDisposableStack();
  const operator = stack.use(await runningCluster(options, spec));
  await operator.cluster.clock.advance(untilVoters);
  operator.calls();
  stack.move();
  return operator;
}

/** The images of the servers, in order. */
export async function imagesOf({ cluster: { client } }: StartedOpenBaoOperator): Promise<(string | undefined)[]> {
  const labelSelector = `${componentLabel}=${components.server}`;
  const { items } = await client.list(Pod, { namespace: home.namespace, labelSelector });
  return items
    .toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))
    .map(({ spec }) => spec?.containers[0]?.image);
}

/** The text of Upgrading at the end. */
export const upgraded = (from: string, to: string) => `UpgradeComplete: All pods were upgraded from ${from} to ${to}`;

/** Advances the clock until Upgrading is like this. */
export async function untilUpgrading(text: RegExp, operator: StartedOpenBaoOperator): Promise<void> {
  await operator.cluster.clock.until(async () => text.test((await operator.condition('Upgrading')) ?? ''));
}
