// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { checkedCalls, refusedCalls } from './refused-calls.ts';

/** The kernel's own numbers; arm64 has the generic ones. */
const headers = { x64: '/usr/include/x86_64-linux-gnu/asm/unistd_64.h', arm64: '/usr/include/asm-generic/unistd.h' };

for (const machine of ['x64', 'arm64'] as const) {
  const header = headers[machine];
  test(`the calls of ${machine} have the numbers of the kernel`, { skip: !existsSync(header) }, async () => {
    const defined = (await readFile(header, 'utf8')).matchAll(/^#define __NR(?:3264)?_(\w+)\s+(\d+)$/gm);
    const numbers = new Map([...defined].map(([, name, number]) => [name, Number(number)]));
    for (const [name, call] of Object.entries({ ...refusedCalls, ...checkedCalls })) {
      // Older headers lack newer calls.
      const known = numbers.get(name);
      if (known !== undefined) assert.equal(call[machine], known, name);
    }
  });
}
