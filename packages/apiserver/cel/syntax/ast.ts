// SPDX-License-Identifier: Apache-2.0

/** A literal: an `int` is a bigint, a `double` a number. */
export type Literal =
  | { readonly type: 'null'; readonly value: null }
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'int' | 'uint'; readonly value: bigint }
  | { readonly type: 'double'; readonly value: number }
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'bytes'; readonly value: Uint8Array };

/** The result type of a fold macro. */
export type Fold = 'all' | 'exists' | 'existsOne' | 'list' | 'map' | 'mapEntries';

/** An expression; `at` is its source offset, for errors. */
export type Node =
  | { readonly kind: 'literal'; readonly at: number; readonly literal: Literal }
  | { readonly kind: 'ident'; readonly at: number; readonly name: string }
  | SelectNode
  | CallNode
  | { readonly kind: 'logic'; readonly at: number; readonly operator: '&&' | '||'; readonly terms: readonly Node[] }
  | { readonly kind: 'list'; readonly at: number; readonly items: readonly Item[] }
  | { readonly kind: 'map'; readonly at: number; readonly entries: readonly Entry[] }
  | { readonly kind: 'struct'; readonly at: number; readonly name: string }
  | FoldNode
  | BindNode;

/** `operand.field`, `has(operand.field)` or `operand.?field`. */
export interface SelectNode {
  readonly kind: 'select';
  readonly at: number;
  readonly operand: Node;
  readonly field: string;
  readonly mode: 'get' | 'has' | 'optional';
}

/** A function or operator call; operators are named like `_+_`. */
export interface CallNode {
  readonly kind: 'call';
  readonly at: number;
  readonly name: string;
  readonly target: Node | undefined;
  readonly args: readonly Node[];
}

/** A fold over the range; items that fail the filter are skipped. */
export interface FoldNode {
  readonly kind: 'fold';
  readonly at: number;
  readonly fold: Fold;
  readonly range: Node;
  /** The item, or index and item, or the key, or key and value. */
  readonly variables: readonly string[];
  readonly filter: Node | undefined;
  readonly body: Node;
}

/** cel.bind: the body with a variable that is evaluated once. */
export interface BindNode {
  readonly kind: 'bind';
  readonly at: number;
  readonly variable: string;
  readonly value: Node;
  readonly body: Node;
}

/** An item of a list literal; an absent optional one is omitted. */
export interface Item {
  readonly node: Node;
  readonly optional: boolean;
}

/** An entry of a map literal. */
export interface Entry {
  readonly key: Node;
  readonly value: Node;
  readonly optional: boolean;
}

/** The children of an expression, in source order. */
export function partsOf(node: Node): readonly Node[] {
  switch (node.kind) {
    case 'literal':
    case 'ident':
    case 'struct':
      return [];
    case 'select':
      return [node.operand];
    case 'call':
      return node.target === undefined ? node.args : [node.target, ...node.args];
    case 'logic':
      return node.terms;
    case 'list':
      return node.items.map((item) => item.node);
    case 'map':
      return node.entries.flatMap(({ key, value }) => [key, value]);
    case 'fold':
      return [node.range, ...(node.filter === undefined ? [] : [node.filter]), node.body];
    case 'bind':
      return [node.value, node.body];
  }
}
