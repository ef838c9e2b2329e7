// SPDX-License-Identifier: Apache-2.0
import { builtinKinds } from '@forge/kube/kinds/builtin.ts';
import type { Controller } from '@forge/runtime/controller/controller.ts';
import { isStepController, type DeclaredStep, type DeclaredSteps } from '@forge/runtime/engine/declared-steps.ts';
import { markdownTable } from './markdown-table.ts';

/** The reference page of an operator's steps: for each controller its graph, and what every step declares. */
export function stepsPage(operator: string, controllers: readonly Controller[]): string {
  const sections = controllers
    .filter(isStepController)
    .flatMap(({ for: kind, declared }) => [
      `## ${kind.kind}`,
      ...(allSteps(declared).length > 1 ? [stepGraph(declared)] : []),
      stepTable(declared),
      groupsOf(declared),
    ]);
  const parts = [
    `# Steps of the ${operator}`,
    'What a reconcile of each kind runs. [A reconcile](../concepts/reconcile.md) explains how.',
    'An arrow leads from a step to one that needs it, a dotted arrow to one that only runs later. Needs that follow from others ' +
      'are not drawn. Steps that no path of arrows connects run in parallel.',
    'The table lists what each step declares. It can do nothing else: reading or writing another kind is an error.',
    ...sections,
  ];
  return `${parts.join('\n\n')}\n`;
}

function stepGraph({ guards, steps, summary, deletion }: DeclaredSteps): string {
  const arrows = [...steps, ...deletion].flatMap((step) => [
    ...drawnNeeds(step).map((need) => `  ${idOf(need)} --> ${idOf(step)}`),
    ...step.after.map((before) => `  ${idOf(before)} -.-> ${idOf(step)}`),
  ]);
  const lines = [
    'flowchart TD',
    ...subgraph('guards', 'guards: may end the pass', guards),
    ...subgraph('steps', 'steps', steps),
    ...subgraph('summary', 'summary', summary === undefined ? [] : [summary]),
    ...subgraph('deletion', 'when it is deleted, instead of the steps', deletion),
    ...(guards.length > 0 ? ['  guards --> steps'] : []),
    ...(summary === undefined ? [] : ['  steps --> summary']),
    ...arrows,
  ];
  return ['```mermaid', ...lines, '```'].join('\n');
}

function subgraph(id: string, title: string, list: readonly DeclaredStep[]): string[] {
  const nodes = list.map((step) => `    ${idOf(step)}["${step.name}"]`);
  return nodes.length === 0 ? [] : [`  subgraph ${id} ["${title}"]`, ...nodes, '  end'];
}

/** The needs of a step that do not follow from its other needs. */
function drawnNeeds({ needs }: DeclaredStep): DeclaredStep[] {
  const all = Object.values(needs);
  return all.filter((need) => !all.some((other) => other !== need && isNeededBy(need, other)));
}

function isNeededBy(step: DeclaredStep, by: DeclaredStep): boolean {
  return Object.values(by.needs).some((need) => need === step || isNeededBy(step, need));
}

/** The id of a node; the prefix keeps it from being a word of Mermaid. */
const idOf = ({ name }: DeclaredStep) => `step_${name.replaceAll(/\W/g, '_')}`;

function allSteps({ guards, steps, summary, deletion }: DeclaredSteps): DeclaredStep[] {
  return [...guards, ...steps, ...(summary === undefined ? [] : [summary]), ...deletion];
}

function stepTable(declared: DeclaredSteps): string {
  const rows = allSteps(declared).map((step) => [
    step.finalizer === undefined ? step.name : `${step.name}, finalizer \`${step.finalizer}\``,
    codes([step.condition, ...step.conditions].flatMap((condition) => condition?.type ?? [])),
    [...Object.values(step.needs), ...step.after].map(({ name }) => name).join(', '),
    codes(step.owns.map(({ kind }) => kind.kind)),
    codes(step.reads.map(({ kind }) => kind.kind)),
    codes(step.modifies.map(({ kind }) => kind.kind)),
    codes(step.writes),
  ]);
  return markdownTable(['step', 'condition', 'needs', 'owns', 'reads', 'modifies', 'status fields'], rows);
}

/** The API groups of kinds that Kubernetes does not have itself. */
function groupsOf(declared: DeclaredSteps): string {
  const kinds = allSteps(declared).flatMap(({ owns, reads, modifies }) =>
    [...owns, ...reads, ...modifies].map((each) => each.kind),
  );
  const custom = kinds.filter(
    ({ group, kind }) => !builtinKinds.some((each) => each.group === group && each.kind === kind),
  );
  const groups = [...Map.groupBy(custom, ({ group }) => group)].map(
    ([group, members]) => `${codes(members.map(({ kind }) => kind))} of \`${group}\``,
  );
  return `Kinds that are not of Kubernetes itself: ${groups.join('; ')}.`;
}

const codes = (names: readonly string[]) => [...new Set(names)].map((name) => `\`${name}\``).join(', ');
