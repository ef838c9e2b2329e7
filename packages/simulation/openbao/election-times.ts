// SPDX-License-Identifier: Apache-2.0
import type { Random } from '@forge/runtime/environment/random.ts';

/** Why there is no leader. */
export type LeaderLoss = 'initialised' | 'restarted' | 'stepped-down' | 'stopped' | 'killed';

const defaultMultiplier = 5;

/** Milliseconds with the default performance multiplier, and with 1; drawn from the range. */
const delays: Readonly<Record<LeaderLoss, { usual: readonly [number, number]; fast: readonly [number, number] }>> = {
  initialised: { usual: [7800, 7800], fast: [1600, 1600] },
  restarted: { usual: [100, 300], fast: [100, 300] },
  'stepped-down': { usual: [700, 800], fast: [700, 800] },
  stopped: { usual: [7900, 7900], fast: [350, 350] },
  killed: { usual: [11_000, 17_000], fast: [1600, 1600] },
};

/** How long it takes until another server leads, in milliseconds. */
export function electionDelay(loss: LeaderLoss, random: Random, multiplier = defaultMultiplier): number {
  const [from, to] = delays[loss][multiplier === 1 ? 'fast' : 'usual'];
  return Math.round(from + random.number() * (to - from));
}

/** Milliseconds, as seen on servers. */
export const times = {
  boot: 300,
  /** A server that is to join asks again this often, and unseals itself this often. */
  joinRetry: 2000,
  unsealRetry: 5000,
  /** A leader without a quorum, and a server without a leader, notice it within this time. */
  heartbeat: 1500,
  /** When autopilot changes the role of a new server, of a stable one, of one to demote, and of one that has led. */
  promotionOfNew: [10_000, 20_000],
  promotion: [2000, 5000],
  demotion: [4000, 6000],
  demotionOfLeader: [11_000, 11_000],
  /** How long a server that stepped down does not compete. */
  rest: 10_000,
  /** How long a new server counts as unhealthy. */
  settling: 3000,
} as const;
