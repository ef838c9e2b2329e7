// SPDX-License-Identifier: Apache-2.0
import type { KubeObject } from '@forge/kube/objects/object.ts';
import type { Warn } from '../resources/warn.ts';

const suffix = '.static.k8s.io';

/** Warns of names that kube-apiserver reserves for policies in files. */
export function staticNameWarnings({ metadata }: KubeObject, warn: Warn): void {
  if (!metadata.name.endsWith(suffix)) return;
  const reserved = 'are reserved for static manifest-based configurations and cannot be managed via the API';
  warn(`metadata.name: names ending with "${suffix}" ${reserved}`);
}
