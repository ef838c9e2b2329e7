// SPDX-License-Identifier: Apache-2.0

/** A Markdown table with its columns aligned, as the formatter would have it. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll('|', String.raw`\|`)));
  const widths = head.map((_, column) => Math.max(3, ...cells.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [titles = [], ...body] = cells;
  return [line(titles), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n');
}
