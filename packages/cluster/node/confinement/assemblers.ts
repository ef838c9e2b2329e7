// SPDX-License-Identifier: Apache-2.0
import type { Machine } from './machine.ts';

/** Assembles the instructions of a launcher for a processor. */
export interface Assembler {
  /** The machine in an ELF header. */
  elfMachine: number;
  /** Loads the n-th argument of the next system call, in 32 bits, which are enough for addresses, too. */
  argument: (index: number, value: number) => Buffer;
  call: (number: number) => Buffer;
  /** Skips this many bytes when the last system call failed. */
  onError: (bytes: number) => Buffer;
  /** Executes the first argument of the program, with its further arguments and its environment. */
  execute: Buffer;
  /** The number of exit_group. */
  exit: number;
}

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');

/** 32 bits in little endian. */
function word(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
}

const x64: Assembler = {
  elfMachine: 62,
  // mov edi, esi, edx, r10d, r8d, r9d
  argument: (index, value) =>
    Buffer.concat([hex(['bf', 'be', 'ba', '41ba', '41b8', '41b9'][index] ?? ''), word(value)]),
  // mov eax, number; syscall
  call: (number) => Buffer.concat([hex('b8'), word(number), hex('0f05')]),
  // test eax, eax; js
  onError: (bytes) => Buffer.concat([hex('85c0 0f88'), word(bytes)]),
  execute: Buffer.concat([
    hex('488b0424'), // mov rax, [rsp]: the number of arguments
    hex('488b7c2410'), // mov rdi, [rsp+16]
    hex('488d742410'), // lea rsi, [rsp+16]
    hex('488d54c410'), // lea rdx, [rsp+rax*8+16]: the environment
    hex('b83b000000 0f05'), // mov eax, execve; syscall
  ]),
  exit: 231,
};

/** movz and movk of a 32-bit register. */
const load = (register: number, value: number) =>
  Buffer.concat([
    word(0x5280_0000 + ((value & 0xffff) << 5) + register),
    word(0x72a0_0000 + ((value >>> 16) << 5) + register),
  ]);
const supervisorCall = word(0xd400_0001);

const arm64: Assembler = {
  elfMachine: 183,
  argument: load,
  call: (number) => Buffer.concat([load(8, number), supervisorCall]),
  // tbnz w0, #31; its distance counts instructions, from its own start
  onError: (bytes) => word(0x37f8_0000 + ((bytes / 4 + 1) << 5)),
  execute: Buffer.concat([
    word(0xf940_03e9), // ldr x9, [sp]: the number of arguments
    word(0xf940_0be0), // ldr x0, [sp, #16]
    word(0x9100_43e1), // add x1, sp, #16
    word(0x8b09_0c22), // add x2, x1, x9, lsl #3: the environment
    load(8, 221), // execve
    supervisorCall,
  ]),
  exit: 94,
};

export const assemblers: Readonly<Record<Machine, Assembler>> = { x64, arm64 };
