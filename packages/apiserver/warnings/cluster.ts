// SPDX-License-Identifier: Apache-2.0
import type { Node } from '@forge/kube/kinds/builtin.ts';
import type { Warn } from '../resources/warn.ts';

/** Warns of unused fields of a node. */
export function nodeWarnings({ spec = {} }: Node, warn: Warn): void {
  if (spec.configSource !== undefined) warn('spec.configSource: the feature is removed');
  if ((spec.externalID ?? '') !== '') {
    warn('spec.externalID: this field is deprecated, and is unused by Kubernetes');
  }
}
