// SPDX-License-Identifier: Apache-2.0
import type { KubeObject } from '@forge/kube/objects/object.ts';
import type { Warn } from '../resources/warn.ts';
import { standardFinalizers } from '../validation/validate-finalizers.ts';

/** Warns of new finalizers without a domain. */
export function finalizerWarnings({ metadata }: KubeObject, warn: Warn, before: KubeObject | undefined): void {
  const known = [...standardFinalizers, ...(before?.metadata.finalizers ?? [])];
  const added = new Set(metadata.finalizers?.filter((each) => !each.includes('/') && !known.includes(each)));
  for (const each of [...added].toSorted()) {
    const how = each.includes('.') ? ' including a path (/)' : '';
    const why = 'to avoid accidental conflicts with other finalizer writers';
    warn(`metadata.finalizers: ${JSON.stringify(each)}: prefer a domain-qualified finalizer name${how} ${why}`);
  }
}
