// SPDX-License-Identifier: Apache-2.0
import { launcher, type SystemCall } from './launcher.ts';
import type { Machine } from './machine.ts';
import { seccompFilter } from './seccomp-filter.ts';

/** Resource numbers of `setrlimit`. */
const limits = { processes: 6, openFiles: 7 } as const;

/** Limits of a process and its children; `processes` counts all processes of the container. */
export type Limits = Readonly<Partial<Record<keyof typeof limits, number>>>;

/** Joins a new, empty session keyring; otherwise the process would have that of the user who started the node. */
const joinKeyring: SystemCall = { number: { x64: 250, arm64: 219 }, arguments: [1, 0] };

/** May fail where the filter refuses all use of keys: the kernel limits the number of keyrings per user. */
const joinKeyringIfPossible: SystemCall = { ...joinKeyring, mayFail: true };

/** Prevents programs from gaining privileges; without it, the kernel accepts no filter. */
const noNewPrivileges: SystemCall = { number: { x64: 157, arm64: 167 }, arguments: [38, 1, 0, 0, 0] };

/** A launcher for processes that get the filter later. */
export function filteredLater(machine: Machine, limited: Limits): Buffer {
  return launcher(machine, [joinKeyringIfPossible, ...limitCalls(limited)]);
}

/** A launcher for processes without the filter. */
export function unconfined(machine: Machine, limited: Limits): Buffer {
  return launcher(machine, [joinKeyring, ...limitCalls(limited)]);
}

/** A launcher that installs the filter. */
export function confined(machine: Machine, limited: Limits): Buffer {
  const filter = seccompFilter(machine);
  const installFilter: SystemCall = {
    number: { x64: 317, arm64: 277 },
    arguments: [1, 0, (address) => Buffer.concat([filterHeader(filter, address), filter])],
  };
  return launcher(machine, [joinKeyringIfPossible, ...limitCalls(limited), noNewPrivileges, installFilter]);
}

/** `struct sock_fprog`: the number of instructions, and their address, which follows it. */
function filterHeader(filter: Buffer, address: number): Buffer {
  const header = Buffer.alloc(16);
  header.writeUInt16LE(filter.length / 8, 0);
  header.writeBigUInt64LE(BigInt(address + header.length), 8);
  return header;
}

function limitCalls(limited: Limits): SystemCall[] {
  return Object.entries(limited).map(([name, value]) => ({
    number: { x64: 302, arm64: 261 },
    arguments: [0, limits[name as keyof Limits], () => bothLimits(value), 0],
  }));
}

/** `struct rlimit`: the soft and the hard limit. */
function bothLimits(value: number): Buffer {
  const bytes = Buffer.alloc(16);
  bytes.writeBigUInt64LE(BigInt(value), 0);
  bytes.writeBigUInt64LE(BigInt(value), 8);
  return bytes;
}
