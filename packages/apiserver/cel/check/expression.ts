// SPDX-License-Identifier: Apache-2.0
import type { Node } from '../syntax/ast.ts';
import { formatIssues } from '../syntax/issue.ts';
import { parse } from '../syntax/parser.ts';
import type { Type } from '../values/type.ts';
import { checkLiterals } from './check-literals.ts';
import { check, type Checked } from './checker.ts';

/** A parsed and type-checked expression. */
export interface Expression {
  readonly root: Node;
  readonly checked: Checked;
}

/** Parses and type-checks an expression; returns an error message on failure. */
export function compileExpression(source: string, variables: ReadonlyMap<string, Type>): Expression | string {
  const { root, issues } = parse(source);
  if (root === undefined) return formatIssues(source, issues);
  const checked = check(root, variables);
  const found = checked.issues.length > 0 ? checked.issues : checkLiterals(root, checked);
  return found.length > 0 ? formatIssues(source, found) : { root, checked };
}
