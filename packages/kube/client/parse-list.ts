// SPDX-License-Identifier: Apache-2.0

/** Parses a list; managedFields without any of these managers become empty: parsing them costs as much as the rest. */
export function parseList(text: string, fieldManagers: ReadonlySet<string>): unknown {
  const stripped = text.replace(managedFieldsWithout(fieldManagers), empty);
  const list = JSON.parse(stripped) as ParsedList;
  // A field of that name elsewhere in an object must not be emptied.
  const isSafe = list.items?.filter(hasEmptyManagers).length === countOf(empty, stripped);
  return isSafe ? list : JSON.parse(text);
}

interface ParsedList {
  items?: Managed[];
}

interface Managed {
  metadata?: { managedFields?: unknown[] };
}

const empty = '"managedFields":[]';

function hasEmptyManagers({ metadata }: Managed): boolean {
  return metadata?.managedFields?.length === 0;
}

function countOf(part: string, text: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) count += 1;
  return count;
}

/** Matches managedFields without these managers; they contain no lists, and inside a string the quotes are escaped. */
function managedFieldsWithout(fieldManagers: ReadonlySet<string>): RegExp {
  const names = [...fieldManagers].map((manager) => RegExp.escape(JSON.stringify(manager)));
  const text = String.raw`"(?!manager":(?:${names.join('|') || '[]'}))[^"\\]*(?:\\.[^"\\]*)*"`;
  return new RegExp(String.raw`"managedFields":\[[^"[\]]*(?:${text}[^"[\]]*)*\]`, 'g');
}
