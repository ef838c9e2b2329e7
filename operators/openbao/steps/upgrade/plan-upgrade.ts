// SPDX-License-Identifier: Apache-2.0
import { compareVersions } from '../../api/version.ts';
import { hasSpare, obstacleToLosing, type Observed } from './observed.ts';
import type { UpgradeState } from './upgrade-state.ts';

/** Pods of an abandoned revision that are not ready. */
const brokenIn = ({ servers, set }: Observed): number[] =>
  servers.flatMap(({ pod }, ordinal) => {
    const isAbandoned = pod !== undefined && pod.revision !== set.currentRevision;
    return isAbandoned && !pod.isReady ? [ordinal] : [];
  });

/** What an upgrade waits for before it begins. One pod that an abandoned upgrade has left broken does not count: it goes first. */
export function obstacleToBeginning(observed: Observed): string | undefined {
  if (!hasSpare(observed)) return undefined;
  const broken = brokenIn(observed);
  return obstacleToLosing(broken.length === 1 ? broken[0] : undefined, observed);
}

interface Versions {
  /** The version that pods return with that the set creates anew from its former template. */
  readonly from: string;
  readonly highest: string | undefined;
}

/**
 * How pods are released. Behind a partition, a pod that dies comes back with the former template. That must not be when it is of a
 * lower version than has run, and a broken pod in the middle could not be the first to go: pods are deleted one by one then.
 */
export function strategyFor(
  observed: Observed,
  templateHash: string,
  { from, highest }: Versions,
): NonNullable<UpgradeState['strategy']> {
  const { servers, set } = observed;
  const isMixed = servers.some(({ pod }) => pod !== undefined && pod.revision !== set.currentRevision);
  if (!isMixed) return 'Partition';
  const isSafe = set.templateHash !== templateHash && (highest === undefined || compareVersions(from, highest) >= 0);
  return isSafe && brokenIn(observed).every((ordinal) => ordinal === servers.length - 1) ? 'Partition' : 'OnDelete';
}
