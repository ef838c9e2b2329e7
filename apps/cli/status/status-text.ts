// SPDX-License-Identifier: Apache-2.0
import type { ClusterStatus } from './cluster-status.ts';
import type { ComponentStatus } from './component-status.ts';
import type { ResourceStatus } from './own-status.ts';
import type { PodStatus } from './pod-status.ts';
import { mark } from './state.ts';
import { refOf, type Summary } from './summary.ts';

/** The status as text for a terminal: a summary, then everything. */
export function statusText(status: ClusterStatus): string {
  const sections: [string, readonly string[]][] = [
    ['Components', table(status.components.map(componentRow))],
    ['Nodes', table(status.nodes.map(componentRow))],
    ['Pods', table(status.pods.map(podRow))],
    ['Resources', status.resources.flatMap(resourceLines)],
    ['Key backups', table(status.keyBackups.map((backup) => [mark(backup.state), refOf(backup), backup.detail]))],
    ['Not enforced', table(status.notEnforced.map(({ feature, effect }) => [feature, effect]))],
    ['Logs', table(status.logs.map(({ of, path }) => [of, path]))],
  ];
  const texts = sections.filter(([, lines]) => lines.length > 0).map(([title, lines]) => [title, ...lines.map(indent)]);
  return [summaryLines(status.summary), ...texts].map((lines) => lines.join('\n')).join('\n\n');
}

const indent = (line: string) => `  ${line}`;
/** Shortens a line; its section has the whole text. */
const short = (line: string) => (line.length <= 200 ? line : `${line.slice(0, 199)}…`);

function summaryLines({ state, failed, waiting }: Summary): string[] {
  const counts = [
    ...(failed.length > 0 ? [`${failed.length} failed`] : []),
    ...(waiting.length > 0 ? [`${waiting.length} waiting`] : []),
  ];
  return [
    `${mark(state)} ${counts.join(', ') || 'Everything is ready'}`,
    ...failed.map(({ of, why }) => indent(short(`${mark('failed')} ${of}: ${why}`))),
    ...waiting.map(({ of, why }) => indent(short(`${mark('waiting')} ${of}: ${why}`))),
  ];
}

function componentRow({ name, state, detail }: ComponentStatus): string[] {
  return [mark(state), name, detail];
}

function podRow({ namespace, name, state, ready, phase, restarts, waitsFor }: PodStatus): string[] {
  const restarted = restarts === 0 ? '' : `${restarts} restarts`;
  return [
    mark(state),
    `${namespace}/${name}`,
    ready,
    phase,
    [restarted, waitsFor && `waits for ${waitsFor}`].filter(Boolean).join(', '),
  ];
}

function resourceLines(resource: ResourceStatus): string[] {
  const { kind, state, terminating, message, conditions } = resource;
  const rows = conditions
    .filter(({ type }) => type !== 'Ready')
    .map(({ type, status, reason, message: text, state: each, waitsFor }) => {
      const own = [reason, text].filter(Boolean).join(': ');
      const needs = waitsFor.length > 0 ? `waits for ${waitsFor.join(', ')}` : '';
      return [`  ${mark(each)} ${type}`, status, [own, needs].filter(Boolean).join('; ')];
    });
  return [
    `${mark(state)} ${kind} ${refOf(resource)}: ${terminating ? 'is being deleted; ' : ''}${message || 'not reconciled yet'}`,
    ...table(rows),
  ];
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
