// SPDX-License-Identifier: Apache-2.0
import { compileRegex } from '@forge/kube/regex/compile-regex.ts';
import { WorkBudget } from '@forge/kube/regex/work-budget.ts';
import { checkFormat } from '../library/format-text.ts';
import { type CallNode, type Item, type Node, partsOf } from '../syntax/ast.ts';
import type { Issue } from '../syntax/issue.ts';
import { parseDuration } from '../values/duration-text.ts';
import { parseTimestamp } from '../values/timestamp-text.ts';
import { dyn, formatType, isSameType, type Type } from '../values/type.ts';
import type { Checked } from './checker.ts';

/** Compile-time errors in the literals of a type-checked expression. */
export function checkLiterals(root: Node, checked: Checked): Issue[] {
  const seen = new Set<Node>();
  const issues: Issue[] = [];
  const visit = (node: Node, mayMix: boolean): void => {
    if (seen.has(node)) return;
    seen.add(node);
    issues.push(...problemsOf(node, checked, mayMix));
    const isFormat = node.kind === 'call' && node.name === 'format';
    for (const part of partsOf(node)) visit(part, mayMix || isFormat);
  };
  visit(root, false);
  return issues;
}

function problemsOf(node: Node, checked: Checked, mayMix: boolean): Issue[] {
  switch (node.kind) {
    case 'call':
      return node.name === 'format' ? formatProblems(node, checked) : argumentProblems(node);
    case 'list':
      return mayMix ? [] : mixed(node.items, checked).slice(0, 1);
    case 'map': {
      if (mayMix) return [];
      const keys = node.entries.map(({ key }) => ({ node: key, optional: false }));
      return [...mixed(keys, checked), ...mixed(node.entries.map(asItem), checked)];
    }
    case 'literal':
    case 'ident':
    case 'select':
    case 'logic':
    case 'struct':
    case 'fold':
    case 'bind':
      return [];
  }
}

function asItem({ value, optional }: { value: Node; optional: boolean }): Item {
  return { node: value, optional };
}

/** Items of mixed types. */
function mixed(items: readonly Item[], { types }: Checked): Issue[] {
  const typed = items.map(({ node, optional }): [Node, Type] => {
    const type = types.get(node) ?? dyn;
    return [node, optional ? (type.params[0] ?? dyn) : type];
  });
  const first = typed[0]?.[1] ?? dyn;
  return typed.flatMap(([{ at }, type]) =>
    isSameType(first, type)
      ? []
      : [{ at, message: `expected type '${formatType(first)}' but found '${formatType(type)}'` }],
  );
}

const readers: Readonly<Record<string, (text: string) => boolean>> = {
  duration: (text) => parseDuration(text) !== undefined,
  timestamp: (text) => parseTimestamp(text) !== undefined,
  matches: (text) => !(compileRegex(text, new WorkBudget()) instanceof SyntaxError),
};

function argumentProblems({ name, args: [arg] }: CallNode): Issue[] {
  const readable = Object.hasOwn(readers, name) ? readers[name] : undefined;
  const text = arg === undefined ? undefined : textOf(arg);
  if (readable === undefined || arg === undefined || text === undefined || readable(text)) return [];
  return [{ at: arg.at, message: `invalid ${name} argument` }];
}

function formatProblems({ at, target, args: [list] }: CallNode, { types }: Checked): Issue[] {
  const format = target === undefined ? undefined : textOf(target);
  if (format === undefined || list?.kind !== 'list') return [];
  const args = list.items.map(({ node }) => ({ at: node.at, type: types.get(node) ?? dyn }));
  const problem = checkFormat(
    format,
    args.map(({ type }) => type),
  );
  return problem === undefined ? [] : [{ at: args[problem.argument ?? -1]?.at ?? at, message: problem.message }];
}

function textOf(node: Node): string | undefined {
  return node.kind === 'literal' && node.literal.type === 'string' ? node.literal.value : undefined;
}
