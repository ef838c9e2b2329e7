// SPDX-License-Identifier: Apache-2.0
import { assemblers, type Assembler } from './assemblers.ts';
import type { Machine } from './machine.ts';

/** Data of a system call, which may contain its own address. */
type Data = (address: number) => Buffer;

/** A system call with constant arguments; data is passed by its address. */
export interface SystemCall {
  number: Readonly<Record<Machine, number>>;
  arguments: readonly (number | Data)[];
  /** Whether the launcher continues after an error. */
  mayFail?: boolean;
}

const addressOfProgram = 0x40_0000;
const headerLength = 64 + 56;
/** As in a shell: the command could not be executed. */
const notExecuted = 126;

/**
 * A program that makes these system calls and then executes its arguments: an ELF file without libraries, which needs
 * no compiler, and nothing of the container to run.
 */
export function launcher(machine: Machine, calls: readonly SystemCall[]): Buffer {
  const compile = (addressOf: (data: Data) => number) => compiled(assemblers[machine], machine, calls, addressOf);
  const data = new Set(calls.flatMap((call) => call.arguments.filter((value) => typeof value !== 'number')));
  let address = addressOfProgram + headerLength + compile(() => 0).length;
  const addresses = new Map<Data, number>();
  for (const each of data) {
    addresses.set(each, address);
    address += each(0).length;
  }
  const code = compile((each) => addresses.get(each) ?? 0);
  const body = Buffer.concat([code, ...[...data].map((each) => each(addresses.get(each) ?? 0))]);
  return Buffer.concat([elfHeader(assemblers[machine].elfMachine, headerLength + body.length), body]);
}

function compiled(
  { argument, call, onError, execute, exit }: Assembler,
  machine: Machine,
  calls: readonly SystemCall[],
  addressOf: (data: Data) => number,
): Buffer {
  // Assembled from the end, because errors jump there.
  const reversed = [Buffer.concat([argument(0, notExecuted), call(exit)]), execute];
  let toEnd = execute.length;
  for (const { number, arguments: values, mayFail = false } of calls.toReversed()) {
    const loads = values.map((value, index) => argument(index, typeof value === 'number' ? value : addressOf(value)));
    const check = mayFail ? [] : [onError(toEnd)];
    const code = Buffer.concat([...loads, call(number[machine]), ...check]);
    reversed.push(code);
    toEnd += code.length;
  }
  const code = Buffer.concat(reversed.toReversed());
  // The data after the code is aligned.
  return Buffer.concat([code, Buffer.alloc(-code.length & 7)]);
}

/** The headers of a static program with one segment, which is readable and executable and begins with them. */
function elfHeader(elfMachine: number, length: number): Buffer {
  const header = Buffer.alloc(headerLength);
  header.write('\x7fELF\x02\x01\x01', 'latin1');
  const [executable, version, loadable, readAndExecute, pageSize] = [2, 1, 1, 5, 0x1_0000];
  header.writeUInt16LE(executable, 16);
  header.writeUInt16LE(elfMachine, 18);
  header.writeUInt32LE(version, 20);
  header.writeBigUInt64LE(BigInt(addressOfProgram + headerLength), 24); // entry
  header.writeBigUInt64LE(64n, 32); // offset of the program header
  header.writeUInt16LE(64, 52);
  header.writeUInt16LE(56, 54);
  header.writeUInt16LE(1, 56);
  header.writeUInt32LE(loadable, 64);
  header.writeUInt32LE(readAndExecute, 68);
  header.writeBigUInt64LE(BigInt(addressOfProgram), 80);
  header.writeBigUInt64LE(BigInt(addressOfProgram), 88);
  header.writeBigUInt64LE(BigInt(length), 96);
  header.writeBigUInt64LE(BigInt(length), 104);
  header.writeBigUInt64LE(BigInt(pageSize), 112);
  return header;
}
