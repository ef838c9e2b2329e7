// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import type { PolicyRule } from '@forge/kube/generated/types.ts';
import { ClusterRole } from '@forge/kube/kinds/builtin.ts';
import { jsonEqual } from '@forge/kube/objects/json.ts';
import { matchesLabelSelector } from '@forge/kube/selectors/selector.ts';
import type { ServerContext } from '../request/server-context.ts';
import { workQueue, type AllowCorrection } from './work-queue.ts';

const resource = 'clusterroles.rbac.authorization.k8s.io';

/** Maintains the rules of aggregated ClusterRoles. */
export function roleAggregator(server: ServerContext, api: Client): () => Promise<void> {
  const { store } = server;
  const roles = (): ClusterRole[] =>
    [...store.current.objects.withPrefix(`${resource}/`)].map(({ value }) => value as ClusterRole);

  async function aggregate(name: string, allowCorrection: AllowCorrection): Promise<void> {
    const all = roles();
    const role = all.find(({ metadata }) => metadata.name === name);
    if (role?.aggregationRule === undefined) return;
    const rules = aggregatedRules(role, all);
    if (jsonEqual(rules, role.rules ?? []) || !allowCorrection(JSON.stringify(rules))) return;
    const { apiVersion, kind } = role;
    const manager = { fieldManager: 'clusterrole-aggregation-controller', force: true };
    const applied = { apiVersion, kind, metadata: { name }, ...(rules.length > 0 && { rules }) };
    await api.apply(ClusterRole, applied, manager);
  }

  const queue = workQueue('role-aggregator', server, aggregate);
  const enqueueAll = (): void => {
    for (const { metadata, aggregationRule } of roles()) if (aggregationRule !== undefined) queue.add(metadata.name);
  };
  enqueueAll();
  const unsubscribe = store.subscribe(resource, enqueueAll);
  return async () => {
    unsubscribe();
    await queue.stop();
  };
}

/** The distinct rules of all selected roles, ordered by selector and name. */
function aggregatedRules({ aggregationRule, metadata }: ClusterRole, all: readonly ClusterRole[]): PolicyRule[] {
  const rules: PolicyRule[] = [];
  for (const selector of aggregationRule?.clusterRoleSelectors ?? []) {
    const chosen = all.filter((each) => matchesLabelSelector(selector, each.metadata.labels));
    for (const rule of chosen.flatMap((each) => (each.metadata.name === metadata.name ? [] : (each.rules ?? [])))) {
      if (!rules.some((known) => jsonEqual(known, rule))) rules.push(rule);
    }
  }
  return rules;
}
