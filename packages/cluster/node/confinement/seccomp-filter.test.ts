// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { constants } from 'node:os';
import { describe, test } from 'node:test';
import type { Machine } from './machine.ts';
import { checkedCalls, refusedCalls } from './refused-calls.ts';
import { seccompFilter } from './seccomp-filter.ts';

const machineCodes = { x64: 0xc000_003e, arm64: 0xc000_00b7, i386: 0x4000_0003, arm: 0x4000_0028 };
const { EPERM, ENOSYS } = constants.errno;

/** Runs the filter as the kernel does; returns the error of the call, or 0 when it is allowed. */
function errorOf(machine: Machine, number: number, argument = 0, machineCode = machineCodes[machine]): number {
  const filter = seccompFilter(machine);
  const data = new Map([
    [0, number],
    [4, machineCode],
    [16, argument],
  ]);
  let loaded = 0;
  for (let at = 0; ; at += 8) {
    const code = filter.readUInt16LE(at);
    const operand = filter.readUInt32LE(at + 4);
    const jump = (condition: boolean) => 8 * filter.readUInt8(at + (condition ? 2 : 3));
    if (code === 0x20) loaded = data.get(operand) ?? 0;
    else if (code === 0x15) at += jump(loaded === operand);
    else if (code === 0x25) at += jump(loaded > operand);
    else if (code === 0x35) at += jump(loaded >= operand);
    else if (code === 0x45) at += jump((loaded & operand) !== 0);
    else return operand === 0x7fff_0000 ? 0 : operand & 0xffff;
  }
}

for (const machine of ['x64', 'arm64'] as const) {
  describe(`the seccomp filter of ${machine}`, () => {
    test('refuses every call of its list, and allows their neighbours', () => {
      const refused = new Set(Object.values(refusedCalls).map((call) => call[machine]));
      const checked = new Set<number>(Object.values(checkedCalls).map((call) => call[machine]));
      for (let number = 0; number <= 467; number += 1) {
        if (checked.has(number)) continue;
        assert.equal(errorOf(machine, number), refused.has(number) ? EPERM : 0, `call ${number}`);
      }
    });

    test('refuses the calls of other processors, and reports later ones as nonexistent', () => {
      const read = machine === 'x64' ? 0 : 63;
      assert.equal(errorOf(machine, read), 0);
      assert.equal(errorOf(machine, read, 0, machineCodes[machine === 'x64' ? 'i386' : 'arm']), EPERM);
      assert.equal(errorOf(machine, 0x4000_0000 + read), EPERM);
      assert.equal(errorOf(machine, 0xffff_ffff), EPERM);
      assert.equal(errorOf(machine, 468), ENOSYS);
    });

    test('allows processes and threads, but no namespaces', () => {
      const { clone, clone3 } = checkedCalls;
      assert.equal(errorOf(machine, clone[machine], 0x003d_0f00), 0);
      for (const bit of [0x2_0000, 0x200_0000, 0x400_0000, 0x800_0000, 0x1000_0000, 0x2000_0000, 0x4000_0000]) {
        assert.equal(errorOf(machine, clone[machine], bit), EPERM);
      }
      assert.equal(errorOf(machine, clone3[machine]), ENOSYS);
    });

    test('allows all sockets except those to the host of a virtual machine, and the usual personalities', () => {
      const { socket, personality } = checkedCalls;
      assert.deepEqual(
        [1, 2, 10, 40].map((family) => errorOf(machine, socket[machine], family)),
        [0, 0, 0, EPERM],
      );
      assert.deepEqual(
        [0, 0xffff_ffff, 0x40_0000].map((value) => errorOf(machine, personality[machine], value)),
        [0, 0, EPERM],
      );
    });
  });
}
