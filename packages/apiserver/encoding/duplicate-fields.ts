// SPDX-License-Identifier: Apache-2.0
import { endOfString } from './parse-json.ts';

interface Level {
  /** Names of an object seen so far; undefined for a list. */
  names: Set<string> | undefined;
  /** The current field name or list index. */
  part: string | number;
}

/** Maximum number of reported duplicate fields, as in Go's decoder. */
const maxReported = 100;

/** The paths of duplicate fields in a JSON text. */
export function duplicateFields(text: string): string[] {
  const duplicates = new Set<string>();
  const levels: Level[] = [];
  let nameIsNext = false;
  for (let at = 0; at < text.length && duplicates.size < maxReported; at += 1) {
    const level = levels.at(-1);
    switch (text.charAt(at)) {
      case '{':
      case '[':
        nameIsNext = text.charAt(at) === '{';
        levels.push({ names: nameIsNext ? new Set() : undefined, part: 0 });
        break;
      case '}':
      case ']':
        levels.pop();
        nameIsNext = false;
        break;
      case ',':
        nameIsNext = level?.names !== undefined;
        if (typeof level?.part === 'number') level.part += 1;
        break;
      case '"': {
        const end = endOfString(text, at);
        if (nameIsNext && level?.names !== undefined) {
          level.part = JSON.parse(text.slice(at, end + 1)) as string;
          if (level.names.has(level.part)) duplicates.add(pathOf(levels));
          level.names.add(level.part);
          nameIsNext = false;
        }
        at = end;
        break;
      }
      default:
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
