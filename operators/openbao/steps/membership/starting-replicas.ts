// SPDX-License-Identifier: Apache-2.0
import type { ClaimView } from './removal.ts';

/** What the number of servers is decided from while no StatefulSet of an initialised cluster runs them. */
interface Start {
  /** The number that the spec asks for. */
  readonly wanted: number;
  readonly isInitialized: boolean;
  readonly claims: readonly ClaimView[];
}

/**
 * How many servers start. Each claim gets its pod, because one server of three has no quorum; a new cluster begins with one. The
 * data of a removed server is never used again: its claim gets no pod, nor do those above it.
 */
export function startingReplicas({ wanted, isInitialized, claims }: Start): number {
  const limit = Math.min(...claims.filter((claim) => isOut(claim, claims)).map(({ ordinal }) => ordinal));
  const claimed = Math.min(limit, Math.max(0, ...claims.map(({ ordinal }) => ordinal + 1)));
  const isNew = !isInitialized && claimed <= 1;
  return isNew ? 1 : Math.max(1, Math.min(limit, Math.max(wanted, claimed)));
}

/** It stays out where the servers below it have a majority without it, also if its removal had no effect. */
function isOut({ ordinal, removal }: ClaimView, claims: readonly ClaimView[]): boolean {
  if (ordinal === 0 || removal === undefined) return false;
  const removed = claims.filter((claim) => claim.removal === 'done');
  const last = Math.max(-1, ...claims.filter((claim) => claim.removal !== 'done').map((claim) => claim.ordinal));
  const voters = last + 1 - removed.filter((claim) => claim.ordinal < last).length;
  const others = claims.filter((claim) => claim.removal === undefined && claim.ordinal < ordinal).length;
  return voters === 0 || others > voters / 2;
}
