// SPDX-License-Identifier: Apache-2.0
import type { OpenBaoCluster } from '../../api/openbao-cluster.ts';

/** How snapshots of a cluster are made. */
export type BackupSpec = NonNullable<OpenBaoCluster['spec']['backup']>;

/** The Secret with the token that Jobs use; undefined where they log in with a role. */
export const tokenSecretOf = ({ jwtAuthRole, tokenSecretRef }: BackupSpec): string | undefined =>
  jwtAuthRole === undefined ? tokenSecretRef?.name : undefined;
