// SPDX-License-Identifier: Apache-2.0
import type { AdmissionAttributes } from './admission-attributes.ts';

/** Whether no webhook is asked: a broken one must not keep its own configuration from being mended. */
export function isExempt({ resource: { kind } }: AdmissionAttributes): boolean {
  return kind.group === 'admissionregistration.k8s.io';
}
