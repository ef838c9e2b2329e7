// SPDX-License-Identifier: Apache-2.0
import { Job } from '@forge/kube/kinds/builtin.ts';
import { milliseconds, seconds, type Duration } from '@forge/runtime/environment/duration.ts';
import { Violation } from '../world/simulated-cluster.ts';
import type { World } from '../world/world.ts';

/** Jobs that finish one after the other need several rounds. */
const maxRounds = 10;

/**
 * Advances until no finished Job with a `ttlSecondsAfterFinished` is left, so that the end state does not depend on how
 * late a Job finished.
 */
export async function waitForExpiredJobs(world: World, settleTime?: Duration): Promise<void> {
  const seen = new Set<string | undefined>();
  for (let round = 0; ; round += 1) {
    const finished = world.state.list(Job).filter((job) => expiryOf(job) !== undefined);
    const fresh = finished.filter(({ metadata }) => !seen.has(metadata.uid));
    const [first] = fresh;
    // Expired Jobs can only remain when there is no Job controller.
    if (first === undefined) return;
    if (round === maxRounds) throw new Violation(`${keyOf(first)} is recreated whenever it has expired`);
    for (const { metadata } of fresh) seen.add(metadata.uid);
    const expiry = Math.max(...fresh.map((job) => expiryOf(job) ?? 0));
    await world.advance(milliseconds(Math.max(0, expiry - world.clock.now())));
    await world.settle(settleTime);
  }
}

const keyOf = ({ metadata: { namespace, name } }: Job): string => `jobs.batch/${namespace}/${name}`;

/** When a finished Job is deleted by its TTL, in milliseconds; undefined when never. */
function expiryOf({ metadata, spec, status }: Job): number | undefined {
  const ttl = spec?.ttlSecondsAfterFinished;
  const end = status?.conditions?.find(
    ({ type, status: is }) => (type === 'Complete' || type === 'Failed') && is === 'True',
  );
  if (ttl === undefined || end === undefined || metadata.deletionTimestamp !== undefined) return undefined;
  return Date.parse(end.lastTransitionTime ?? '') + seconds(ttl);
}
