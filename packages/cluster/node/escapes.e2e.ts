// SPDX-License-Identifier: Apache-2.0
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { currentUser, isRoot, ordinaryUser } from './test/ordinary-user.ts';
import { cachedImages, runTestProgram } from './test/test-program.ts';

const program = fileURLToPath(new URL('test/escapes/try-escapes.ts', import.meta.url));

describe('a pod cannot reach the host', () => {
  test('of a node that root runs', { skip: !isRoot }, async (context) => {
    await runTestProgram(context, program, await currentUser(context));
  });

  test('of a node that an ordinary user runs', async (context) => {
    const user = await ordinaryUser(context, () => cachedImages('forge/tools', 'mariadb:10.11'));
    await runTestProgram(context, program, user);
  });
});
