// SPDX-License-Identifier: Apache-2.0
import type { PodSpec } from '@forge/kube/generated/types.ts';
import type { Pod } from '@forge/kube/kinds/builtin.ts';

/** The spec of a stored pod. */
export function specOf({ spec, metadata }: Pod): PodSpec {
  if (!spec) throw new Error(`Pod ${metadata.namespace}/${metadata.name} has no spec`);
  return spec;
}
