// SPDX-License-Identifier: Apache-2.0
import type { Attributes } from './attributes.ts';

/** Whether no webhook is asked: a broken one must not keep its own configuration from being mended. */
export function isExempt({ resource: { kind } }: Attributes): boolean {
  return kind.group === 'admissionregistration.k8s.io';
}
