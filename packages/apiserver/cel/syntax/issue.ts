// SPDX-License-Identifier: Apache-2.0

/** A compile error; without a position when it concerns the whole expression. */
export interface Issue {
  readonly at: number | undefined;
  readonly message: string;
}

const reported = 100;
const longestSnippet = 16_384;

/** Formats issues as cel-go does, with the source line and a marker. */
export function formatIssues(source: string, issues: readonly Issue[]): string {
  const sorted = issues.slice(0, reported).toSorted((a, b) => (a.at ?? -1) - (b.at ?? -1));
  const texts = sorted.map((issue) => formatIssue(source, issue));
  if (issues.length > reported) texts.push(`${issues.length - reported} more errors were truncated`);
  return texts.join('\n');
}

function formatIssue(source: string, { at, message }: Issue): string {
  if (at === undefined) return `ERROR: <input>:-1:0: ${message}`;
  const before = source.slice(0, at).split('\n');
  const column = Array.from(before.at(-1) ?? '');
  const head = `ERROR: <input>:${before.length}:${column.length + 1}: ${message}`;
  const line = source.split('\n')[before.length - 1] ?? '';
  if (Buffer.byteLength(line) > longestSnippet) return head;
  const marked = Array.from(line)[column.length] ?? '';
  const dots = column.map((character) => (isWide(character) ? '．' : '.')).join('');
  return `${head}\n | ${line.replaceAll('\t', ' ')}\n | ${dots}${isWide(marked) ? '＾' : '^'}`;
}

function isWide(character: string): boolean {
  return (character.codePointAt(0) ?? 0) > 0x7f;
}
