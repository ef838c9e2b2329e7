// SPDX-License-Identifier: Apache-2.0
import type { ClusterStatus, ComponentStatus } from './cluster-status.ts';
import type { ResourceStatus } from './own-status.ts';
import type { PodStatus } from './pod-status.ts';

/** The status as text for a terminal. */
export function statusText(status: ClusterStatus): string {
  const sections: [string, readonly string[]][] = [
    ['Components', table(status.components.map(componentRow))],
    ['Nodes', table(status.nodes.map(componentRow))],
    ['Pods', table(status.pods.map(podRow))],
    ['Resources', status.resources.flatMap(resourceLines)],
    [
      'Key backups',
      table(status.keyBackups.map(({ ok, namespace, name, detail }) => [mark(ok), `${namespace}/${name}`, detail])),
    ],
    ['Not enforced', table(status.notEnforced.map(({ feature, effect }) => [feature, effect]))],
    ['Logs', table(status.logs.map(({ of, path }) => [of, path]))],
  ];
  const texts = sections.filter(([, lines]) => lines.length > 0).map(([title, lines]) => [title, ...lines.map(indent)]);
  return texts.map((lines) => lines.join('\n')).join('\n\n');
}

export const mark = (ok: boolean) => (ok ? '✔' : '✖');
const indent = (line: string) => `  ${line}`;

function componentRow({ name, ok, detail }: ComponentStatus): string[] {
  return [mark(ok), name, detail];
}

function podRow({ namespace, name, ready, phase, restarts, waitsFor }: PodStatus): string[] {
  const restarted = restarts === 0 ? '' : `${restarts} restarts`;
  return [
    `${namespace}/${name}`,
    ready,
    phase,
    [restarted, waitsFor && `waits for ${waitsFor}`].filter(Boolean).join(', '),
  ];
}

function resourceLines({ kind, namespace, name, ready, message, conditions }: ResourceStatus): string[] {
  const ref = namespace === '' ? name : `${namespace}/${name}`;
  const rows = conditions
    .filter(({ type }) => type !== 'Ready')
    .map(({ type, status, reason, message: text, ok, waitsFor }) => {
      const own = [reason, text].filter(Boolean).join(': ');
      const needs = waitsFor.length > 0 ? `waits for ${waitsFor.join(', ')}` : '';
      return [`  ${mark(ok)} ${type}`, status, [own, needs].filter(Boolean).join('; ')];
    });
  return [`${mark(ready === 'True')} ${kind} ${ref}: ${message || 'not reconciled yet'}`, ...table(rows)];
}

/** Rows with aligned columns. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
