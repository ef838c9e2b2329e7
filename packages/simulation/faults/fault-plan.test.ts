// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ConfigMap } from '@forge/kube/kinds/builtin.ts';
import { sleep } from '@forge/runtime/environment/clock.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { simulation } from '../run/simulation.ts';
import type { ProcessContext, ScenarioRun } from '../scenario/scenario.ts';
import type { FaultKind } from './fault-plan.ts';

const a: ConfigMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'default', name: 'a' } };

type Program = (host: ProcessContext, note: (what: string) => void) => Promise<void>;

const messageOf = (error: Error) => error.message.replace(/.*?: /, '');

/** Writes after one second. */
const writer: Program = async ({ client, clock }, note) => {
  await sleep(clock, seconds(1));
  await client.create(ConfigMap, a).then(
    () => note('written'),
    (error: Error) => note(messageOf(error)),
  );
};

/** Watches from the start, restarts the watch when it breaks, and lists after two seconds. */
const reader: Program = async ({ client, clock }, note) => {
  const { resourceVersion } = await client.list(ConfigMap);
  const watch = async () => {
    for await (const { type } of client.watch(ConfigMap, { resourceVersion })) note(type);
  };
  const watchAgain = (error: Error) => {
    note(messageOf(error));
    return watch();
  };
  void watch()
    .catch(watchAgain)
    .catch((error: Error) => note(messageOf(error)));
  await sleep(clock, seconds(2));
  const { items } = await client.list(ConfigMap, { limit: 10 });
  note(`sees ${items.length}`);
};

/** A fault at the first possible operation, unless `at` is given. */
type TestFault = FaultKind & { at?: number };

/** What the programs record, and when, with this fault in one of them. */
async function noted(
  programs: Record<string, Program>,
  process: string,
  faults: TestFault[],
  steps: ScenarioRun['steps'] = [],
): Promise<string[]> {
  let notes: string[] = [];
  const both = await simulation({
    newRun() {
      notes = [];
      const begin = (name: string, run: Program) => (host: ProcessContext) => {
        const beginning = Date.UTC(2026, 0, 1);
        return run(host, (what) => name === process && notes.push(`${(host.clock.now() - beginning) / 1000}: ${what}`));
      };
      const processes = Object.entries(programs).map(([name, run]) => ({ name, start: begin(name, run) }));
      return { processes, steps };
    },
  });
  await both.replay({ seed: 1, faults: faults.map((fault) => ({ process, at: 1, ...fault })) });
  return notes;
}

const exists = 'configmaps "a" already exists';
const broke = 'the connection to the API server broke';

describe('a fault has its documented effect', () => {
  // Processes restart after one second, and again when everything has settled, which takes forty.
  const writing: [FaultKind, string[]][] = [
    [{ fault: 'crash', when: 'before' }, ['3: written', `45: ${exists}`]],
    [{ fault: 'crash', when: 'after' }, [`3: ${exists}`, `44: ${exists}`]],
    [{ fault: 'freeze', for: seconds(5) }, ['6: written', `48: ${exists}`]],
    [{ fault: 'cut', when: 'before' }, [`1: ${broke}`, '43: written']],
    [{ fault: 'cut', when: 'after' }, [`1: ${broke}`, `43: ${exists}`]],
    [{ fault: 'refuse', code: 429 }, ['1: too many requests, please try again later', '43: written']],
    [{ fault: 'slow', for: seconds(3) }, ['4: written', `46: ${exists}`]],
  ];
  for (const [fault, notes] of writing) {
    test(`on a writer: ${JSON.stringify(fault)}`, async () => {
      assert.deepEqual(await noted({ writer, reader }, 'writer', [fault]), notes);
    });
  }

  const reading: [FaultKind[], string[]][] = [
    [
      [{ fault: 'shut', code: 500 }],
      ['0: Internal error occurred: injected fault', '1: ADDED', '2: sees 1', '44: sees 1'],
    ],
    [[{ fault: 'break' }], [`1: ${broke}`, '1: ADDED', '2: sees 1', '44: sees 1']],
    [[{ fault: 'expire' }], [`1: ${broke}`, '1: too old resource version: 13 (14)', '2: sees 1', '44: sees 1']],
    [[{ fault: 'hang' }], ['2: sees 1', '119: sees 1']],
    [[{ fault: 'lag' }], ['2: sees 1', '41: ADDED', '84: sees 1']],
    [[{ fault: 'hold' }], ['2: sees 1', '41: ADDED', '84: sees 1']],
    [
      [{ fault: 'lag' }, { fault: 'hold' }],
      ['2: sees 1', '41: ADDED', '84: sees 1'],
    ],
    [
      [{ fault: 'hang' }, { fault: 'stale', behind: 1 }],
      ['2: sees 0', '119: sees 1'],
    ],
  ];
  for (const [faults, notes] of reading) {
    test(`on a reader: ${JSON.stringify(faults)}`, async () => {
      assert.deepEqual(await noted({ writer, reader }, 'reader', faults), notes);
    });
  }

  test('on a reader with delayed events: users continue after lagging events, and before held ones', async () => {
    const steps: ScenarioRun['steps'] = [
      (user) => user.create(ConfigMap, { ...a, metadata: { ...a.metadata, name: 'b' } }),
    ];
    const recorded = (...faults: TestFault[]) => noted({ writer, reader }, 'reader', faults, steps);
    assert.deepEqual(await recorded({ fault: 'lag' }), ['2: sees 1', '41: ADDED', '81: ADDED', '124: sees 2']);
    assert.deepEqual(await recorded({ fault: 'hold' }), ['2: sees 1', '81: ADDED', '81: ADDED', '124: sees 2']);
    const twice = await recorded({ fault: 'hold' }, { fault: 'lag', at: 2 });
    assert.deepEqual(twice, ['2: sees 1', '81: ADDED', '121: ADDED', '164: sees 2']);
  });
});
