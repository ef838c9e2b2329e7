// SPDX-License-Identifier: Apache-2.0
import { isIPv4 } from 'node:net';
import type { IPBlock } from '@forge/kube/generated/types.ts';
import { without, type Range } from './ranges.ts';

/** An address as a number. */
export function numberOf(address: string): number {
  return address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
}

/** The address of a number. */
export function addressOf(number: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join('.');
}

/** The addresses of a block; none for IPv6, which the pod network does not have. */
export function blockRanges({ cidr, except = [] }: IPBlock): Range[] {
  const [whole] = networkRange(cidr);
  return whole === undefined ? [] : without(whole, except.flatMap(networkRange));
}

/** The addresses of a network in CIDR notation; the prefix may be any address in it. */
function networkRange(cidr: string): Range[] {
  const [address = '', length = ''] = cidr.split('/');
  const size = 2 ** (32 - Number(length));
  if (!isIPv4(address) || !/^\d+$/.test(length) || size < 1) return [];
  const from = Math.floor(numberOf(address) / size) * size;
  return [{ from, to: from + size - 1 }];
}
