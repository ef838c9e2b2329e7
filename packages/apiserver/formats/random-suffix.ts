// SPDX-License-Identifier: Apache-2.0
import type { Random } from '@forge/runtime/environment/random.ts';

/** A random five-character suffix, from the alphabet that kube-apiserver uses. */
export function randomSuffix(random: Random): string {
  const alphabet = 'bcdfghjklmnpqrstvwxz2456789';
  return Array.from({ length: 5 }, () => alphabet[Math.floor(random.number() * alphabet.length)]).join('');
}
