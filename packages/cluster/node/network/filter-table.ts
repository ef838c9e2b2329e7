// SPDX-License-Identifier: Apache-2.0
import { createHash } from 'node:crypto';

/** For each verdict map of a table, the rules that apply to what each of its keys matches. */
export type FilterMaps = Readonly<Record<string, ReadonlyMap<string, readonly string[]>>>;

/** A table of the packet filter. */
export interface FilterTable {
  /** Replaces the elements of the maps; resolves when they are in force. */
  update(maps: FilterMaps): Promise<void>;
}

interface Statement {
  text: string;
  /** Records that it is in force. */
  done?: () => void;
}

/** The kernel limits a transaction of a user without privileges to about 200 KB in its own encoding, 30,000 characters of rules. */
const longestTransaction = 8000;

/**
 * The content of a table, changed by the difference to what is in force.
 *
 * Rules are in chains that are named after their content: keys with equal rules share one, and a chain in use never
 * changes. A key refers to its new chain once that is complete, so that every key always has all of its rules.
 */
export function filterTable(table: string, transact: (text: string) => Promise<void>): FilterTable {
  const chains = new Set<string>();
  const elements = new Map<string, { map: string; key: string; chain: string }>();
  let updates = Promise.resolve();

  async function apply(maps: FilterMaps): Promise<void> {
    const wanted = new Map<string, { map: string; key: string; chain: string }>();
    const contents = new Map<string, readonly string[]>();
    for (const [map, keys] of Object.entries(maps)) {
      for (const [key, rules] of keys) {
        const chain = chainOf(rules);
        wanted.set(`${map} ${key}`, { map, key, chain });
        contents.set(chain, rules);
      }
    }
    const statements = [
      ...[...contents].filter(([chain]) => !chains.has(chain)).flatMap(([chain, rules]) => addChain(chain, rules)),
      ...[...wanted].filter(([id, { chain }]) => elements.get(id)?.chain !== chain).map(([id]) => setElement(id)),
      ...[...elements.keys()].filter((id) => !wanted.has(id)).map((id) => setElement(id)),
      ...[...chains].filter((chain) => !contents.has(chain)).map(deleteChain),
    ];
    for (const part of partsOf(statements)) {
      await transact(part.map(({ text }) => `${text}\n`).join(''));
      for (const { done } of part) done?.();
    }

    /** One statement, since a key must never be without its rules. */
    function setElement(id: string): Statement {
      const [before, after] = [elements.get(id), wanted.get(id)];
      const removal = before && `delete element ip ${table} ${before.map} { ${before.key} }`;
      const addition = after && `add element ip ${table} ${after.map} { ${after.key} : jump ${after.chain} }`;
      return {
        text: [removal, addition].filter((each) => each !== undefined).join('\n'),
        done: () => void (after ? elements.set(id, after) : elements.delete(id)),
      };
    }
  }

  function addChain(chain: string, rules: readonly string[]): Statement[] {
    return [
      // An earlier attempt may have failed halfway.
      { text: `add chain ip ${table} ${chain}\nflush chain ip ${table} ${chain}` },
      ...rules.map((rule) => ({ text: `add rule ip ${table} ${chain} ${rule}` })),
      { text: '', done: () => void chains.add(chain) },
    ];
  }

  function deleteChain(chain: string): Statement {
    return { text: `delete chain ip ${table} ${chain}`, done: () => void chains.delete(chain) };
  }

  return {
    update(maps) {
      const update = updates.then(() => apply(maps));
      updates = update.catch(() => undefined);
      return update;
    },
  };
}

function chainOf(rules: readonly string[]): string {
  return `rules-${createHash('sha256').update(rules.join('\n')).digest('hex').slice(0, 16)}`;
}

/** Splits the statements into transactions. */
function partsOf(statements: readonly Statement[]): Statement[][] {
  const parts: Statement[][] = [];
  let length = Infinity;
  for (const statement of statements) {
    length += statement.text.length;
    if (length > longestTransaction) {
      parts.push([]);
      length = statement.text.length;
    }
    parts.at(-1)?.push(statement);
  }
  return parts;
}
