// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { filterTable, type FilterContent } from './filter-table.ts';

/** A table whose transactions are recorded; the next `failures` of them fail. */
function recordedTable() {
  const transactions: string[][] = [];
  const state = { failures: 0 };
  const table = filterTable('t', async (text) => {
    if (state.failures-- > 0) throw new Error('no memory');
    transactions.push(text.split('\n').filter((line) => line !== ''));
  });
  const update = async (content: FilterContent) => {
    transactions.length = 0;
    await table.update(content);
    return transactions.flat().map((line) => line.replaceAll(/rules-\w+/g, (name) => nameOf(name)));
  };
  const names = new Map<string, string>();
  const nameOf = (chain: string) => names.get(chain) ?? names.set(chain, `chain-${names.size}`).get(chain) ?? '';
  return { update, state, transactions };
}

const pods = (entries: Record<string, string[]>): FilterContent => ({
  maps: { pods: new Map(Object.entries(entries)) },
});

describe('a table of the packet filter', () => {
  test('gets only the latest content of those that arrived during a transaction', async () => {
    const started: string[] = [];
    const running = Promise.withResolvers<void>();
    const table = filterTable('t', (text) => {
      started.push(text);
      return running.promise;
    });
    const updates = ['one', 'two', 'three'].map((rule) => table.update(pods({ '10.244.0.2': [rule] })));
    running.resolve();
    await Promise.all(updates);
    const rules = started.flatMap((text) => text.match(/one|two|three/g) ?? []);
    assert.deepEqual(rules, ['three']);
    await table.update(pods({ '10.244.0.2': ['four'] }));
    assert.match(started.join(''), /four/);
  });

  test('has a chain for the rules of a key before the key refers to it', async () => {
    const { update } = recordedTable();
    assert.deepEqual(await update(pods({ a: ['tcp dport 80 return', 'reject'] })), [
      'add chain ip t chain-0',
      'flush chain ip t chain-0',
      'add rule ip t chain-0 tcp dport 80 return',
      'add rule ip t chain-0 reject',
      'add element ip t pods { a : jump chain-0 }',
    ]);
  });

  test('shares chains, applies only differences, and deletes chains without references', async () => {
    const { update } = recordedTable();
    await update(pods({ a: ['accept'], b: ['accept'], c: ['accept'] }));
    assert.deepEqual(await update(pods({ a: ['accept'], b: ['accept'], c: ['accept'] })), []);
    assert.deepEqual(await update(pods({ a: ['accept'], b: ['reject'] })), [
      'add chain ip t chain-1',
      'flush chain ip t chain-1',
      'add rule ip t chain-1 reject',
      'delete element ip t pods { b }',
      'add element ip t pods { b : jump chain-1 }',
      'delete element ip t pods { c }',
    ]);
    assert.deepEqual(await update(pods({})), [
      'delete element ip t pods { a }',
      'delete element ip t pods { b }',
      'delete chain ip t chain-0',
      'delete chain ip t chain-1',
    ]);
  });

  test('has a set before a rule refers to it, and until the last reference is gone', async () => {
    const { update } = recordedTable();
    const sets = new Map([['ports', { type: 'inet_service' as const, elements: ['80', '90-99'] }]]);
    assert.deepEqual(await update({ sets, ...pods({ a: ['tcp dport @ports return'] }) }), [
      'add set ip t ports { type inet_service; flags interval; }',
      'flush set ip t ports',
      'add element ip t ports { 80, 90-99 }',
      'add chain ip t chain-0',
      'flush chain ip t chain-0',
      'add rule ip t chain-0 tcp dport @ports return',
      'add element ip t pods { a : jump chain-0 }',
    ]);
    assert.deepEqual(await update(pods({})), [
      'delete element ip t pods { a }',
      'delete chain ip t chain-0',
      'delete set ip t ports',
    ]);
  });

  test('is changed in several transactions when one would be too large, and never leaves a key without rules', async () => {
    const { update, transactions } = recordedTable();
    const many = Array.from({ length: 500 }, (_, port) => `tcp dport ${port} return`);
    await update(pods({ a: [...many, 'reject'] }));
    await update(pods({ a: [...many, 'drop'] }));
    assert.ok(transactions.length > 1);
    assert.ok(transactions.every((lines) => lines.join('\n').length < 9000));
    const switching = transactions.filter((lines) => lines.some((line) => line.includes('element')));
    assert.equal(switching.length, 1);
    assert.deepEqual(
      switching.flat().flatMap((line) => (line.includes('element') ? line.split(' ')[0] : [])),
      ['delete', 'add'],
    );
  });

  test('is completed by the next update when a transaction failed', async () => {
    const { update, state } = recordedTable();
    await update(pods({ a: ['accept'] }));
    state.failures = 1;
    await assert.rejects(update(pods({ b: ['reject'] })), { message: 'no memory' });
    assert.deepEqual(await update(pods({ b: ['reject'] })), [
      'add chain ip t chain-1',
      'flush chain ip t chain-1',
      'add rule ip t chain-1 reject',
      'add element ip t pods { b : jump chain-1 }',
      'delete element ip t pods { a }',
      'delete chain ip t chain-0',
    ]);
  });
});
