// SPDX-License-Identifier: Apache-2.0
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { currentUser, isRoot, ordinaryUser, type TestUser } from '@forge/testing/programs/ordinary-user.ts';
import { cachedImages, runTestProgram } from '@forge/testing/programs/test-program.ts';
import { writeKeyHolder } from './test/escapes/call-attempts.ts';

const program = fileURLToPath(new URL('test/escapes/try-escapes.ts', import.meta.url));

/** The user with a key in the session keyring, which pods try to find. */
async function withKey(user: TestUser): Promise<TestUser> {
  const addKey = join(user.folder, 'add-key');
  await writeKeyHolder(addKey);
  return { ...user, prefix: [...user.prefix, addKey] };
}

describe('a pod cannot reach the host', () => {
  test('of a node that root runs', { skip: !isRoot }, async (context) => {
    await runTestProgram(context, program, await withKey(await currentUser(context)));
  });

  test('of a node that an ordinary user runs', async (context) => {
    const user = await ordinaryUser(context, () => cachedImages('forge/tools', 'mariadb:10.11'));
    await runTestProgram(context, program, await withKey(user));
  });
});
