// SPDX-License-Identifier: Apache-2.0
// That a server leaves is written on its claim before it is removed from the Raft cluster, and that it has left before its pod
// goes: the annotation lives as long as the data that it is about, also under a new resource. A removal that was begun is always
// finished, whatever becomes of the spec, because nobody can tell whether a call without an answer will still take effect.
import type { PersistentVolumeClaim } from '@forge/kube/kinds/builtin.ts';
import { annotations } from '../../api/names.ts';
import type { OpenBaoCluster } from '../../api/openbao-cluster.ts';
import { ordinalOf } from '../servers.ts';

/** `begun`: its server may be a member or not. `done`: it is none, and its data must not be used again. */
export type Removal = 'begun' | 'done';

/** What a claim says about its server. */
export interface ClaimView {
  readonly ordinal: number;
  readonly removal?: Removal;
}

/** What a claim says of the removal of its server; any other text was written by somebody, and proves nothing. */
export function removalOf({ metadata }: PersistentVolumeClaim): Removal | undefined {
  const mark = metadata.annotations?.[annotations.removal];
  return mark === undefined || mark === 'done' ? mark : 'begun';
}

/** What the claims of the cluster say. */
export const claimViews = (cluster: OpenBaoCluster, claims: readonly PersistentVolumeClaim[]): ClaimView[] =>
  claims.flatMap((claim) => {
    const [ordinal, removal] = [ordinalOf(cluster, claim), removalOf(claim)];
    return ordinal === undefined ? [] : [{ ordinal, ...(removal !== undefined && { removal }) }];
  });

/** The servers whose removal is not finished. The first one never leaves. */
export const leavingAmong = (claims: readonly ClaimView[]): number[] =>
  claims.flatMap(({ ordinal, removal }) => (removal !== undefined && ordinal > 0 ? [ordinal] : []));
