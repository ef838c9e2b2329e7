// SPDX-License-Identifier: Apache-2.0
import { isApiError } from '@forge/kube/errors/api-error.ts';
import { Node } from '@forge/kube/kinds/builtin.ts';
import { jsonEqual } from '@forge/kube/objects/json.ts';
import type { Controller } from '@forge/runtime/controller/controller.ts';
import { conditionOf } from '../../objects/with-condition.ts';

/** The taint of a node by the status of its Ready condition; none when it is ready. */
const taints: Readonly<Record<string, string>> = {
  False: 'node.kubernetes.io/not-ready',
  Unknown: 'node.kubernetes.io/unreachable',
};

/** Taints nodes that are not ready; the API server adds the taint to every new node. */
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
      // The conflicting change triggers another reconcile.
      if (!isApiError(error, 'NotFound', 'Conflict')) throw error;
    }
    return undefined;
  },
};
