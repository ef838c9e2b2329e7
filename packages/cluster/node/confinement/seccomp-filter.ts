// SPDX-License-Identifier: Apache-2.0
import { constants } from 'node:os';
import type { Machine } from './machine.ts';
import { checkedCalls, lastKnownCall, refusedCalls } from './refused-calls.ts';

/** An instruction of the classic Berkeley packet filter: code, jumps if true and if false, operand. */
type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, operand: number];

const machineCode: Readonly<Record<Machine, number>> = { x64: 0xc000_003e, arm64: 0xc000_00b7 };

/** Offsets in `struct seccomp_data`; for an argument, the lower half, the only part that the kernel reads of these. */
const offsets = { number: 0, machine: 4, firstArgument: 16 };

const load = (offset: number): Instruction => [0x20, 0, 0, offset];
const jump =
  (code: number) =>
  (operand: number, ifTrue: number, ifFalse: number): Instruction => [code, ifTrue, ifFalse, operand];
const [ifEqual, ifAtLeast, ifAbove, ifAnyBit] = [jump(0x15), jump(0x35), jump(0x25), jump(0x45)];

const allow: Instruction = [0x06, 0, 0, 0x7fff_0000];
const fail = (error: number): Instruction => [0x06, 0, 0, 0x0005_0000 + error];
const refuse = fail(constants.errno.EPERM);
/** For calls that programs do not need when the kernel lacks them. */
const absent = fail(constants.errno.ENOSYS);

/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET. */
const anyNamespace = 0x7e02_0000;
/** PER_LINUX, PER_LINUX32, both with UNAME26, and the query of the current one. */
const personalities = [0x0, 0x8, 0x2_0000, 0x2_0008, 0xffff_ffff];
/** AF_VSOCK: connects to the host of a virtual machine, and bypasses network namespaces. */
const hostSockets = 40;
/** The bit of x32 system calls on x86-64. */
const x32 = 0x4000_0000;

/**
 * The seccomp filter of containers, as the kernel loads it.
 *
 * Refused calls fail with EPERM, unknown calls with ENOSYS. It also refuses the system calls of other processors, whose
 * numbers have other meanings.
 */
export function seccompFilter(machine: Machine): Buffer {
  const { clone, clone3, personality, socket } = checkedCalls;
  const onCall = (number: number, ...then: Instruction[]) => [ifEqual(number, 0, then.length), ...then];
  const program: Instruction[] = [
    load(offsets.machine),
    ifEqual(machineCode[machine], 1, 0),
    refuse,
    load(offsets.number),
    ifAtLeast(x32, 0, 1),
    refuse,
    ifAbove(lastKnownCall, 0, 1),
    absent,
    ...refusedRanges(machine).flatMap(([first, last]) => [ifAtLeast(first, 0, 2), ifAbove(last, 1, 0), refuse]),
    // The filter cannot read the flags of clone3, which are behind a pointer; C libraries then use clone.
    ...onCall(clone3[machine], absent),
    ...onCall(clone[machine], load(offsets.firstArgument), ifAnyBit(anyNamespace, 0, 1), refuse, allow),
    ...onCall(socket[machine], load(offsets.firstArgument), ifEqual(hostSockets, 0, 1), refuse, allow),
    ...onCall(
      personality[machine],
      load(offsets.firstArgument),
      ...personalities.flatMap((each) => [ifEqual(each, 0, 1), allow]),
      refuse,
    ),
    allow,
  ];
  return Buffer.concat(program.map(encode));
}

/** The refused calls as ranges of numbers. */
function refusedRanges(machine: Machine): [first: number, last: number][] {
  const numbers = Object.values(refusedCalls).flatMap((call) => call[machine] ?? []);
  const ranges: [number, number][] = [];
  for (const number of numbers.toSorted((a, b) => a - b)) {
    const range = ranges.at(-1);
    if (range?.[1] === number - 1) range[1] = number;
    else ranges.push([number, number]);
  }
  return ranges;
}

function encode([code, ifTrue, ifFalse, operand]: Instruction): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(ifTrue, 2);
  bytes.writeUInt8(ifFalse, 3);
  bytes.writeUInt32LE(operand, 4);
  return bytes;
}
