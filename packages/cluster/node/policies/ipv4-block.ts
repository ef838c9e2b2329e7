// SPDX-License-Identifier: Apache-2.0
import { isIPv4 } from 'node:net';
import type { IPBlock } from '@forge/kube/generated/types.ts';

/** A range of addresses without some others, each as `address/prefix` of its first address. */
export interface Ipv4Block {
  cidr: string;
  except: readonly string[];
}

/** The block of a policy; undefined for IPv6, which the pods of the node do not have. */
export function ipv4Block({ cidr, except = [] }: IPBlock): Ipv4Block | undefined {
  const network = ipv4Network(cidr);
  return network === undefined
    ? undefined
    : { cidr: network, except: except.flatMap((each) => ipv4Network(each) ?? []) };
}

/** The network of an address in it: `10.1.2.3/8` is `10.0.0.0/8`. */
function ipv4Network(cidr: string): string | undefined {
  const [address = '', length = ''] = cidr.split('/');
  const prefix = Number(length);
  if (!isIPv4(address) || !/^\d+$/.test(length) || prefix > 32) return undefined;
  const number = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  const first = number - (number % 2 ** (32 - prefix));
  const parts = [24, 16, 8, 0].map((shift) => Math.floor(first / 2 ** shift) % 256);
  return `${parts.join('.')}/${prefix}`;
}
