// SPDX-License-Identifier: Apache-2.0
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { currentUser, isRoot, ordinaryUser } from './test/ordinary-user.ts';
import { cachedImages, runTestProgram } from './test/test-program.ts';

const program = fileURLToPath(new URL('test/policies/try-policies.ts', import.meta.url));

describe('the packet filter decides as NetworkPolicies do', () => {
  test('in a node that root runs', { skip: !isRoot }, async (context) => {
    await runTestProgram(context, program, await currentUser(context));
  });

  test('in a node that an ordinary user runs', async (context) => {
    await runTestProgram(context, program, await ordinaryUser(context, () => cachedImages('forge/tools')));
  });
});
