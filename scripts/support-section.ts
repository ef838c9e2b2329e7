// SPDX-License-Identifier: Apache-2.0
import { workloadControllers } from '@forge/cluster/controllers/controllers.ts';
import { ignoredFields, inertKinds, notEnforced } from '@forge/cluster/support/support.ts';
import { builtinKinds } from '@forge/kube/kinds/builtin.ts';

const section = /(?<=<!-- support -->\n)[^]*?(?=<!-- end of support -->)/;

/** The page with its section about what the local cluster supports written again. */
export function writeSupport(page: string): string {
  const acted = builtinKinds.map(({ kind }) => kind).filter((kind) => !inertKinds.includes(kind));
  const rows = notEnforced.map(({ feature, effect }) => [feature, effect]);
  const fields = Object.entries(ignoredFields).map(([type, names]) => [`\`${type}\``, codes(names)]);
  const controllers = workloadControllers().map(({ name }) => name);
  const text = [
    `Kinds that something acts on: ${codes(acted)}.`,
    `Kinds that are stored, and on which nothing acts: ${codes(inertKinds)}.`,
    `Controllers: ${codes(controllers)}.`,
    table(['accepted, not enforced', 'effect'], rows),
    table(['type', 'fields that are accepted and ignored'], fields),
  ].join('\n\n');
  return page.replace(section, `\n${text}\n\n`);
}

const codes = (names: readonly string[]) => [...new Set(names)].map((name) => `\`${name}\``).join(', ');

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) =>
    Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0), title.length),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}
