// SPDX-License-Identifier: Apache-2.0
import type { Figure } from './harness/figure.ts';

/** A goal that is known not to be met. */
interface KnownShortfall {
  /** The figure, by its `what`. */
  figure: string;
  /** The value it must still reach. */
  accepted: NonNullable<Figure['goal']>;
  /** Why the goal is not met; docs/benchmarks.md has the profile. */
  reason: string;
}

/** The goals not met on the machines measured so far; remove an entry once its goal is met. */
export const knownShortfalls: readonly KnownShortfall[] = [
  {
    figure: 'create a deployment, against a bare server',
    accepted: { atLeast: 0.25 },
    reason:
      'its response is three times as long as that of the bare server, and it is decoded, defaulted and validated',
  },
  {
    figure: 'longest block by 100,000 objects all at once, as bytes',
    accepted: { atMost: 60 },
    reason: 'a garbage collection of the young generation while the first list encodes all objects, which are kept',
  },
  {
    figure: 'processor time per watch event, against client-node',
    accepted: { atMost: 1.15 },
    reason: 'nearly half of it is JSON.parse, which both do alike, and most of the rest TLS and the kernel',
  },
  {
    figure: 'create an OpenBaoCluster with four settings',
    accepted: { atMost: 1.35 },
    reason: 'four runs on a quiet machine gave 1.19 to 1.31: each setting is matched against one pattern',
  },
  {
    figure: 'create an OpenBaoCluster with settings and backups',
    accepted: { atMost: 1.4 },
    reason: 'four runs on a quiet machine gave 1.21 to 1.35: its rules read a few dozen fields',
  },
];
