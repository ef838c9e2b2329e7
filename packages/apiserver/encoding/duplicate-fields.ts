// SPDX-License-Identifier: Apache-2.0

interface Level {
  /** Names of an object seen so far; undefined for a list. */
  names: Set<string> | undefined;
  /** The current field name or list index. */
  part: string | number;
}

/** The paths of duplicate fields in a JSON text. */
export function duplicateFields(text: string): string[] {
  const duplicates = new Set<string>();
  const levels: Level[] = [];
  let nameIsNext = false;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],]/g)) {
    const level = levels.at(-1);
    if (token === '{' || token === '[') {
      nameIsNext = token === '{';
      levels.push({ names: nameIsNext ? new Set() : undefined, part: 0 });
    } else if (token === '}' || token === ']') {
      levels.pop();
      nameIsNext = false;
    } else if (token === ',') {
      nameIsNext = level?.names !== undefined;
      if (typeof level?.part === 'number') level.part += 1;
    } else if (nameIsNext && level?.names !== undefined) {
      level.part = token.includes('\\') ? (JSON.parse(token) as string) : token.slice(1, -1);
      if (level.names.has(level.part)) duplicates.add(pathOf(levels));
      level.names.add(level.part);
      nameIsNext = false;
    }
  }
  return [...duplicates];
}

function pathOf(levels: readonly Level[]): string {
  return levels
    .map(({ part }) => (typeof part === 'number' ? `[${part}]` : `.${part}`))
    .join('')
    .slice(1);
}
