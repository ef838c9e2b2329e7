// SPDX-License-Identifier: Apache-2.0
import { isApiError } from '@forge/kube/errors/api-error.ts';
import { Node } from '@forge/kube/kinds/builtin.ts';
import { jsonEqual } from '@forge/kube/objects/json.ts';
import type { Controller } from '@forge/runtime/controller/controller.ts';
import { conditionOf } from '../../objects/with-condition.ts';

/** How pods are kept away from a node, by what is known of its readiness; from one that is ready they are not. */
const taints: Readonly<Record<string, string>> = {
  False: 'node.kubernetes.io/not-ready',
  Unknown: 'node.kubernetes.io/unreachable',
};

/** Marks nodes that are not ready, as which a server takes every new one. */
export const nodeTaintController: Controller = {
  name: 'node-lifecycle-controller',
  for: Node,

  async reconcile(ref, { cache, client }) {
    const node = cache.get(Node, ref);
    const ready = conditionOf(node?.status?.conditions, 'Ready');
    if (node === undefined || ready === undefined) return undefined;
    const key = taints[ready.status];
    const before = node.spec?.taints ?? [];
    const others = before.filter(
      (taint) => taint.effect !== 'NoSchedule' || !Object.values(taints).includes(taint.key),
    );
    const wanted = key === undefined ? others : [...others, { key, effect: 'NoSchedule' }];
    if (jsonEqual(wanted, before)) return undefined;
    const { resourceVersion } = node.metadata;
    try {
      await client.patch(Node, ref, 'merge', { metadata: { resourceVersion }, spec: { taints: wanted } });
    } catch (error) {
      // The change that came in between wakes us.
      if (!isApiError(error, 'NotFound', 'Conflict')) throw error;
    }
    return undefined;
  },
};
