// SPDX-License-Identifier: Apache-2.0
import { createHash } from 'node:crypto';

/** A set of addresses or ports, by elements that do not overlap. */
export interface FilterSet {
  type: 'ipv4_addr' | 'inet_service';
  elements: readonly string[];
}

/** The variable content of a table, besides its base chains. */
export interface FilterContent {
  /** Sets that rules refer to, each named after its content. */
  sets?: ReadonlyMap<string, FilterSet>;
  /** For each verdict map of the table, the rules of each of its keys. */
  maps: Readonly<Record<string, ReadonlyMap<string, readonly string[]>>>;
}

/** A table of the packet filter. */
export interface FilterTable {
  /** Replaces its content; resolves when it is in force. */
  update(content: FilterContent): Promise<void>;
}

interface Statement {
  text: string;
  /** Records that the statement is in force. */
  done?: () => void;
}

interface Element {
  map: string;
  key: string;
  chain: string;
}

/** The kernel limits a transaction of an unprivileged user to about 700 rules, or 30,000 characters of rules. */
const maxTransaction = 8000;
const elementsOfStatement = 100;

/** The name of a set or chain with this content. */
export function nameOf(prefix: string, content: readonly string[]): string {
  return `${prefix}-${createHash('sha256').update(content.join('\n')).digest('hex').slice(0, 16)}`;
}

/**
 * The content of a table; an update applies the difference to what is in force.
 *
 * Rules are in chains that are named after their content: keys with equal rules share one, and a chain in use never
 * changes. A key refers to its new chain only once the chain is complete, so that every key always has all of its
 * rules.
 */
export function filterTable(table: string, transact: (text: string) => Promise<void>): FilterTable {
  const sets = new Set<string>();
  const chains = new Set<string>();
  const elements = new Map<string, Element>();
  let updates = Promise.resolve();
  /** The update that waits for the one in progress; later updates replace its content. */
  let waiting: { content: FilterContent; done: Promise<void> } | undefined;

  async function apply(content: FilterContent): Promise<void> {
    const wantedSets = content.sets ?? new Map<string, FilterSet>();
    const wantedChains = new Map<string, readonly string[]>();
    const wanted = new Map<string, Element>();
    for (const [map, keys] of Object.entries(content.maps)) {
      for (const [key, rules] of keys) {
        const chain = nameOf('rules', rules);
        wantedChains.set(chain, rules);
        wanted.set(`${map} ${key}`, { map, key, chain });
      }
    }
    const changed = [...wanted].filter(([id, { chain }]) => elements.get(id)?.chain !== chain).map(([id]) => id);
    const removed = [...elements.keys()].filter((id) => !wanted.has(id));
    const statements = [
      ...[...wantedSets].filter(([name]) => !sets.has(name)).flatMap(([name, set]) => addSet(name, set)),
      ...[...wantedChains].filter(([name]) => !chains.has(name)).flatMap(([name, rules]) => addChain(name, rules)),
      ...[...changed, ...removed].map((id) => replaceElement(id, wanted.get(id))),
      ...[...chains].filter((name) => !wantedChains.has(name)).map((name) => remove('chain', name, chains)),
      ...[...sets].filter((name) => !wantedSets.has(name)).map((name) => remove('set', name, sets)),
    ];
    for (const part of partsOf(statements)) {
      await transact(part.map(({ text }) => `${text}\n`).join(''));
      for (const { done } of part) done?.();
    }
  }

  // Flushed first: an earlier attempt to add the set or chain may have failed halfway.
  function addSet(name: string, set: FilterSet): Statement[] {
    const parts = Array.from({ length: Math.ceil(set.elements.length / elementsOfStatement) }, (_, part) =>
      set.elements.slice(part * elementsOfStatement, (part + 1) * elementsOfStatement),
    );
    return [
      { text: `add set ip ${table} ${name} { type ${set.type}; flags interval; }\nflush set ip ${table} ${name}` },
      ...parts.map((part) => ({ text: `add element ip ${table} ${name} { ${part.join(', ')} }` })),
      { text: '', done: () => void sets.add(name) },
    ];
  }

  function addChain(name: string, rules: readonly string[]): Statement[] {
    return [
      { text: `add chain ip ${table} ${name}\nflush chain ip ${table} ${name}` },
      ...rules.map((rule) => ({ text: `add rule ip ${table} ${name} ${rule}` })),
      { text: '', done: () => void chains.add(name) },
    ];
  }

  /** One statement, since a key must never be without its rules. */
  function replaceElement(id: string, after: Element | undefined): Statement {
    const before = elements.get(id);
    const removal = before && `delete element ip ${table} ${before.map} { ${before.key} }`;
    const addition = after && `add element ip ${table} ${after.map} { ${after.key} : jump ${after.chain} }`;
    return {
      text: [removal, addition].filter((each) => each !== undefined).join('\n'),
      done: () => void (after ? elements.set(id, after) : elements.delete(id)),
    };
  }

  function remove(kind: 'chain' | 'set', name: string, known: Set<string>): Statement {
    return { text: `delete ${kind} ip ${table} ${name}`, done: () => void known.delete(name) };
  }

  return {
    update(content) {
      if (waiting !== undefined) {
        waiting.content = content;
        return waiting.done;
      }
      const update = { content, done: Promise.resolve() };
      update.done = updates.then(() => {
        waiting = undefined;
        return apply(update.content);
      });
      waiting = update;
      updates = update.done.catch(() => undefined);
      return update.done;
    },
  };
}

/** Splits the statements into transactions. */
function partsOf(statements: readonly Statement[]): Statement[][] {
  const parts: Statement[][] = [];
  let length = Infinity;
  for (const statement of statements) {
    length += statement.text.length;
    if (length > maxTransaction) {
      parts.push([]);
      length = statement.text.length;
    }
    parts.at(-1)?.push(statement);
  }
  return parts;
}
