// SPDX-License-Identifier: Apache-2.0
import type { Pod } from '@forge/kube/kinds/builtin.ts';
import type { WriteStep } from '../request/write.ts';

const taints = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];

/** Adds the default tolerations: pods stay on a not-ready or unreachable node for five minutes. */
export const defaultTolerationSeconds: WriteStep = ({ resource, subresource, object }) => {
  const { spec } = object as Pod;
  if (resource.name !== 'pods' || subresource !== undefined || spec === undefined) return object;
  const { tolerations = [] } = spec;
  const missing = taints.filter(
    (taint) => !tolerations.some(({ key = taint, effect = 'NoExecute' }) => key === taint && effect === 'NoExecute'),
  );
  const added = missing.map((key) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 }));
  return added.length === 0
    ? object
    : ({ ...object, spec: { ...spec, tolerations: [...tolerations, ...added] } } as Pod);
};
