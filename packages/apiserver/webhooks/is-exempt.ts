// SPDX-License-Identifier: Apache-2.0
import type { AdmissionAttributes } from '../matching/admission-attributes.ts';

/** Whether webhooks are skipped: a broken webhook must not block changes of its own configuration. */
export function isExempt({ resource: { kind } }: AdmissionAttributes): boolean {
  return kind.group === 'admissionregistration.k8s.io';
}
