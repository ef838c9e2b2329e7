// SPDX-License-Identifier: Apache-2.0
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { currentUser, isRoot, ordinaryUser } from '@forge/testing/programs/ordinary-user.ts';
import { cachedImages, runTestProgram } from '@forge/testing/programs/test-program.ts';

const program = fileURLToPath(new URL('test/workloads/run-workloads.ts', import.meta.url));

// Both run at the same time: most of the time they wait for the next minute and for backoff.
describe('workloads that kubectl applies run on the cluster', { concurrency: true }, () => {
  test('of a node that root runs', { skip: !isRoot }, async (context) => {
    await runTestProgram(context, program, await currentUser(context));
  });

  test('of a node that an ordinary user runs', async (context) => {
    const user = await ordinaryUser(context, () => cachedImages('forge/tools', 'memcached:1.6'));
    await runTestProgram(context, program, user);
  });
});
