// SPDX-License-Identifier: Apache-2.0
import type { PodSecurityContext, SecurityContext } from '@forge/kube/generated/types.ts';

/** What the restricted Pod Security Standard asks of a pod whose processes and volumes have this user and group. */
export const restrictedPod = (user: number, group = user): PodSecurityContext => ({
  runAsNonRoot: true,
  runAsUser: user,
  runAsGroup: group,
  fsGroup: group,
  seccompProfile: { type: 'RuntimeDefault' },
});

/** What it asks of each container, and a read-only root on top. */
export const restrictedContainer: SecurityContext = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  readOnlyRootFilesystem: true,
};
