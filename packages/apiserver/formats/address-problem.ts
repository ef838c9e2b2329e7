// SPDX-License-Identifier: Apache-2.0
import { isIP, isIPv4 } from 'node:net';
import { parseIp } from './ip-text.ts';

/** Whether a text is an address, if only by lenient rules. */
export function isAddress(text: string): boolean {
  return isIP(text) !== 0 || isIPv4(withoutZeros(text));
}

function withoutZeros(address: string): string {
  return address.replaceAll(/\b0+(?=\d)/g, '');
}

/** What is wrong with an address; undefined when nothing is. */
export function addressProblem(address: string): string | undefined {
  if (/^::ffff:[\d.]+$/i.test(address) && isIP(address) !== 0) return 'must not be an IPv4-mapped IPv6 address';
  if (isIP(address) !== 0) return undefined;
  return isIPv4(withoutZeros(address))
    ? 'must not have leading 0s'
    : 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
}

/** What is wrong with an address that must be routable; undefined when nothing is. */
export function reachableProblem(address: string): string | undefined {
  if (/^(?:0\.0\.0\.0|::)$/.test(address)) return 'may not be unspecified (0.0.0.0 or ::)';
  if (/^127\.|^::1$/.test(address)) return 'may not be in the loopback range (127.0.0.0/8, ::1/128)';
  if (/^169\.254\.|^fe[89ab]/i.test(address)) return 'may not be in the link-local range (169.254.0.0/16, fe80::/10)';
  return undefined;
}

/** An IP network. */
interface Network {
  family: 4 | 6;
  length: number;
  prefix: bigint;
}

/** Parses a CIDR; undefined when it is invalid. */
export function parseNetwork(text: string): Network | undefined {
  const [, address = '', length = ''] = /^(.*)\/(\d{1,3})$/.exec(text) ?? [];
  const parsed = parseIp(address);
  if (parsed === undefined || Number(length) > parsed.bits) return undefined;
  return {
    family: isIPv4(address) ? 4 : 6,
    length: Number(length),
    prefix: parsed.value >> BigInt(parsed.bits - Number(length)),
  };
}

/** What is wrong with a network; undefined when nothing is. */
export function networkProblem(network: string): string | undefined {
  if (parseNetwork(network) !== undefined) return undefined;
  return 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';
}

/** Whether the network is a proper subnet of another. */
export function isSubnetOf(network: Network, whole: Network): boolean {
  return (
    network.family === whole.family &&
    network.length > whole.length &&
    network.prefix >> BigInt(network.length - whole.length) === whole.prefix
  );
}

/** What is wrong with the name of an IPAddress object, which must be the canonical address; undefined when nothing is. */
export function addressNameProblem(name: string): string | undefined {
  const family = isIP(name);
  const canonical = family === 6 ? new URL(`http://[${name}]`).hostname.slice(1, -1) : name;
  const problem = addressProblem(name);
  return problem === undefined && canonical !== name ? `must be in canonical form ("${canonical}")` : problem;
}
