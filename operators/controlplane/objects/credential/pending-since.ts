// SPDX-License-Identifier: Apache-2.0
import type { ControlPlane } from '../../api/control-plane.ts';

/**
 * Since when the current application credential is known not to be where it is needed; undefined while nothing is known to be
 * missing. What was missing before the credential was minted does not count.
 */
export function pendingSince({ status }: ControlPlane): number | undefined {
  const condition = status?.conditions?.find(({ type }) => type === 'AdminCredentialReady');
  if (condition?.status !== 'False') return undefined;
  const { lastRotation = condition.lastTransitionTime } = status?.adminApplicationCredential ?? {};
  return Math.max(Date.parse(condition.lastTransitionTime), Date.parse(lastRotation));
}
