// SPDX-License-Identifier: Apache-2.0
import { conditionOf } from '@forge/runtime/objects/condition.ts';
import type { ControlPlane } from '../../api/control-plane.ts';

/**
 * Since when the current application credential is known not to be where it is needed; undefined while nothing is known to be
 * missing. What was missing before the credential was minted does not count.
 */
export function pendingSince(controlPlane: ControlPlane): number | undefined {
  const condition = conditionOf(controlPlane, 'AdminCredentialReady');
  if (condition?.status !== 'False') return undefined;
  const { lastRotation = condition.lastTransitionTime } = controlPlane.status?.adminApplicationCredential ?? {};
  return Math.max(Date.parse(condition.lastTransitionTime), Date.parse(lastRotation));
}
