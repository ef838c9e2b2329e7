// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { YamlThread } from './yaml-thread.ts';

/** Takes the parser several seconds. */
const slow = Buffer.from(`a: [${','.repeat(1_000_000)}`);
const large = Buffer.from(Array.from({ length: 100_000 }, (_, index) => `k${index}: 1`).join('\n'));
const small = Buffer.from('a: 1');

/** Another text is parsed as if nothing had happened. */
async function stillParses(thread: YamlThread): Promise<void> {
  assert.equal(Buffer.from(await thread.toJson(small, 'user')).toString(), '{"a":1}');
}

describe('a text that is too complex is refused by an error that names the limit', () => {
  test('after five seconds', async (context) => {
    const thread = new YamlThread();
    context.mock.timers.enable({ apis: ['setTimeout'] });
    // Starts the thread: the time of a text begins when it is sent there.
    await stillParses(thread);
    let problem: unknown;
    const ended = thread.toJson(slow, 'user').catch((error: unknown) => (problem = error));
    context.mock.timers.tick(4999);
    await nextTurn();
    assert.equal(problem, undefined);
    context.mock.timers.tick(1);
    await ended;
    assert.match(String(problem), /yaml: the document is too complex: limit is 5 seconds/);
    await stillParses(thread);
  });

  test('when it takes too much memory', async (context) => {
    // However long that takes on a busy machine.
    context.mock.timers.enable({ apis: ['setTimeout'] });
    const thread = new YamlThread({ seconds: 5, mebibytes: 64 });
    await assert.rejects(thread.toJson(large, 'user'), /the document is too complex: limit is 64 MiB of memory/);
    await stillParses(thread);
  });
});
