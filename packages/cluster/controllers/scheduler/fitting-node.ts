// SPDX-License-Identifier: Apache-2.0
import type { Node, Pod } from '@forge/kube/kinds/builtin.ts';
import { isTrue } from '../../objects/with-condition.ts';

/** Why a pod does not fit a node, in the order of the checks; undefined when it fits. */
function obstacle(pod: Pod, { metadata, spec, status }: Node): string | undefined {
  if (spec?.unschedulable === true) return 'node(s) were unschedulable';
  if (!isTrue(status?.conditions, 'Ready')) return 'node(s) were not ready';
  const wanted = Object.entries(pod.spec?.nodeSelector ?? {});
  if (wanted.some(([key, value]) => metadata.labels?.[key] !== value)) {
    return "node(s) didn't match Pod's node affinity/selector";
  }
  return undefined;
}

/** The name of the fitting node with the fewest pods, or why none fits. */
export function fittingNode(
  pod: Pod,
  nodes: readonly Node[],
  podsOn: (node: string) => number,
): { node: string } | { unschedulable: string } {
  if (nodes.length === 0) return { unschedulable: 'no nodes available to schedule pods' };
  const [best] = nodes
    .filter((node) => obstacle(pod, node) === undefined)
    .map(({ metadata: { name } }) => ({ name, pods: podsOn(name) }))
    .toSorted((a, b) => a.pods - b.pods || (a.name < b.name ? -1 : 1));
  if (best !== undefined) return { node: best.name };
  const counts = new Map<string, number>();
  for (const node of nodes) {
    const reason = obstacle(pod, node) ?? '';
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  const reasons = [...counts].map(([reason, count]) => `${count} ${reason}`).toSorted();
  return { unschedulable: `0/${nodes.length} nodes are available: ${reasons.join(', ')}.` };
}
