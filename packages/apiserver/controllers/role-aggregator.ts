// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import type { PolicyRule } from '@forge/kube/generated/types.ts';
import { ClusterRole } from '@forge/kube/kinds/builtin.ts';
import { jsonEqual } from '@forge/kube/objects/json.ts';
import { labelMatcher } from '@forge/kube/selectors/selector.ts';
import { inTurns } from '../matching/turn.ts';
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
    const rules = await inTurns(aggregatedRules(role, all));
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

/** Comparisons of a role with a requirement that are made without a pause, about 20 ms. */
const longestTurn = 200_000;

/** The distinct rules of all selected roles, ordered by selector and name; yields when others should be served. */
function* aggregatedRules(
  { aggregationRule, metadata }: ClusterRole,
  all: readonly ClusterRole[],
): Generator<void, PolicyRule[]> {
  const rules = new Map<string, PolicyRule>();
  let left = all.filter((each) => each.metadata.name !== metadata.name);
  let compared = 0;
  for (const selector of aggregationRule?.clusterRoleSelectors ?? []) {
    const { matchLabels = {}, matchExpressions = [] } = selector;
    compared += (1 + Object.keys(matchLabels).length + matchExpressions.length) * left.length;
    if (compared > longestTurn) {
      compared = 0;
      yield;
    }
    const isSelected = labelMatcher(selector);
    const chosen = left.filter((each) => isSelected(each.metadata.labels));
    if (chosen.length === 0) continue;
    // What a role adds, it adds once.
    left = left.filter((each) => !chosen.includes(each));
    for (const rule of chosen.flatMap((each) => each.rules ?? [])) {
      const key = textOf(rule);
      if (!rules.has(key)) rules.set(key, rule);
    }
  }
  return [...rules.values()];
}

/** Equal for equal rules, whatever the order of their fields. */
function textOf({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): string {
  return JSON.stringify([verbs, apiGroups, resources, resourceNames, nonResourceURLs]);
}
