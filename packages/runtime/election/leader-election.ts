// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import { isApiError } from '@forge/kube/errors/api-error.ts';
import { Lease } from '@forge/kube/kinds/builtin.ts';
import { sleep, type Clock } from '../environment/clock.ts';
import { milliseconds, seconds, type Duration } from '../environment/duration.ts';
import type { Random } from '../environment/random.ts';
import type { Logger } from '../observability/logger.ts';
import { noMetrics, type Gauge, type Metrics } from '../observability/metrics.ts';
import { claim, released } from './lease-claim.ts';

/** The Lease of an election and its timing. */
export interface ElectionOptions {
  lease: { namespace: string; name: string };
  /** Our identity, unique to this process. */
  identity: string;
  /** After this long without a renewal others may take over. Default 15 seconds; whole seconds only. */
  duration?: Duration;
  /** After this long without a renewal we give up leadership. Default 10 seconds. */
  renewDeadline?: Duration;
  /** How often we try. Default 2 seconds. */
  retryPeriod?: Duration;
}

/**
 * One process's part in a leader election.
 *
 * Guarantees: at any time at most one process passes `check`, provided that all clocks run at the same speed: a holder
 * counts from before it sent its renewal, the others from when they observed it. Clock skew does not matter.
 */
export interface Election {
  /** Resolves when we lead, rejects when the signal aborts first. The Lease is then renewed until we lose it or resign. */
  win(signal: AbortSignal): Promise<void>;
  /** Throws unless we lead at this moment, by our own clock. */
  check(): void;
  /** Aborts when we no longer lead. */
  readonly lost: AbortSignal;
  /** Releases the Lease, so that another process can lead at once. */
  resign(): Promise<void>;
}

/** We do not lead: another process may be doing this work. */
class NotLeading extends Error {
  override readonly name = 'NotLeading';
}

const masterStatus: Gauge<'name'> = {
  type: 'gauge',
  name: 'leader_election_master_status',
  help: 'Whether this process leads (1) or waits (0).',
  labels: ['name'],
};

// Candidates that started together should not retry together.
const jitter = 1.2;

/** A candidate of an election; call `win` once. */
export function leaderElection(
  context: { client: Client; clock: Clock; random: Random; log: Logger; metrics?: Metrics },
  options: ElectionOptions,
): Election {
  const { client, clock, random, metrics = noMetrics } = context;
  const { lease, identity, duration = seconds(15), renewDeadline = seconds(10), retryPeriod = seconds(2) } = options;
  const log = context.log.with({ lease: lease.name, identity });
  const lost = new AbortController();
  /** The last observed Lease, and when it was first observed in that state. */
  let seen: { live: Lease; at: number } | undefined;
  /** Whether `seen` is our own last write, so that no read is needed before the next. */
  let isFresh = false;
  /** By the monotonic clock and by the time of day: the former may stand still while the machine is suspended. */
  let holdsUntil = { monotonic: -Infinity, time: -Infinity };
  let cancelDeadline: (() => void) | undefined;

  const reportStatus = (leads: boolean) => metrics.set(masterStatus, { name: lease.name }, leads ? 1 : 0);
  const leads = () => !lost.signal.aborted && clock.monotonic() < holdsUntil.monotonic && clock.now() < holdsUntil.time;

  function lose(why: string): void {
    cancelDeadline?.();
    if (lost.signal.aborted) return;
    reportStatus(false);
    if (holdsUntil.time !== -Infinity) log.info(`no longer leading: ${why}`);
    lost.abort(new NotLeading(`${identity} no longer holds the Lease ${lease.name}: ${why}`));
  }

  function recordObserved(live: Lease): Lease {
    if (seen?.live.metadata.resourceVersion !== live.metadata.resourceVersion) seen = { live, at: clock.monotonic() };
    return live;
  }

  /** Whether another process holds the Lease and it has not expired. */
  function isHeldByOther({ spec }: Lease): boolean {
    const holder = spec?.holderIdentity ?? '';
    if (holder === '' || holder === identity || seen === undefined) return false;
    return clock.monotonic() < seen.at + seconds(spec?.leaseDurationSeconds ?? 0);
  }

  /** Acquires or renews the Lease; false when another process holds it. */
  async function acquireOrRenew(signal: AbortSignal): Promise<boolean> {
    const began = { monotonic: clock.monotonic(), time: clock.now() };
    const known = isFresh ? seen?.live : undefined;
    isFresh = false;
    const found = known ?? (await client.find(Lease, lease, { signal }));
    if (found !== undefined && isHeldByOther(recordObserved(found))) return false;
    const wanted = claim(found, { lease, identity, duration, clock });
    recordObserved(
      await (found === undefined ? client.create(Lease, wanted, { signal }) : client.update(Lease, wanted, { signal })),
    );
    isFresh = true;
    holdsUntil = { monotonic: began.monotonic + duration, time: began.time + duration };
    cancelDeadline?.();
    const patience = began.monotonic + renewDeadline - clock.monotonic();
    cancelDeadline = clock.after(patience, () => lose(`not renewed for ${renewDeadline / 1000} s`));
    return true;
  }

  async function tryAcquireOrRenew(signal: AbortSignal): Promise<boolean | undefined> {
    const tooLong = new AbortController();
    // One hung connection must not cost the leadership: leave time for another try.
    const cancel = clock.after(renewDeadline / 3, () => tooLong.abort(new Error('no answer in time')));
    try {
      return await acquireOrRenew(AbortSignal.any([signal, tooLong.signal]));
    } catch (error) {
      if (!signal.aborted && !isApiError(error, 'Conflict', 'AlreadyExists')) {
        log.warn('cannot acquire or renew the Lease; retrying', { error });
      }
      return undefined;
    } finally {
      cancel();
    }
  }

  async function renewUntilLost(): Promise<void> {
    while (!lost.signal.aborted) {
      await sleep(clock, retryPeriod, lost.signal);
      if (!leads()) lose('it expired');
      else if ((await tryAcquireOrRenew(lost.signal)) === false) lose('another process holds it');
    }
  }

  /** Releases the Lease, also when an aborted renewal has reached the server after all. */
  async function release(held: Lease, signal: AbortSignal): Promise<void> {
    try {
      await client.update(Lease, released(held, clock), { signal });
    } catch (error) {
      if (!isApiError(error, 'Conflict')) throw error;
      const live = await client.find(Lease, lease, { signal });
      if (live?.spec?.holderIdentity === identity) await client.update(Lease, released(live, clock), { signal });
    }
  }

  return {
    lost: lost.signal,

    async win(signal) {
      reportStatus(false);
      const either = AbortSignal.any([signal, lost.signal]);
      while ((await tryAcquireOrRenew(either)) !== true) {
        await sleep(clock, milliseconds(retryPeriod * (1 + random.number() * jitter)), either);
      }
      reportStatus(true);
      log.info('leading');
      renewUntilLost().catch(() => undefined);
    },

    check() {
      if (!leads()) throw new NotLeading(`${identity} does not hold the Lease ${lease.name}: another process may`);
    },

    async resign() {
      const held = leads() ? seen?.live : undefined;
      lose('resigned');
      if (held === undefined) return;
      const tooLong = new AbortController();
      const cancel = clock.after(renewDeadline, () => tooLong.abort());
      try {
        await release(held, tooLong.signal);
      } catch (error) {
        log.warn('cannot release the Lease; others must wait until it expires', { error });
      } finally {
        cancel();
      }
    },
  };
}
