// SPDX-License-Identifier: Apache-2.0
import type { Checked } from '../check/checker.ts';
import { foldCosts } from '../check/fold-costs.ts';
import { type Argument, type Overload, product, type Size, unknownSize } from '../library/overload.ts';
import type { Fold, FoldNode, Node } from '../syntax/ast.ts';
import { lengthOf } from '../values/code-points.ts';
import type { Type } from '../values/type.ts';
import type { Declaration } from './declaration.ts';

/** The estimate of an expression. */
interface Expected {
  readonly cost: number;
  readonly size: Size | undefined;
  /** Its schema declaration; undefined for computed values. */
  readonly place: Declaration | 'nowhere' | undefined;
  /** Estimates of the elements of a computed list or map. */
  readonly itemSize?: Size | undefined;
}

/** The worst-case cost of an expression, by the size limits of its schema. */
export function estimateCost(root: Node, checked: Checked, self: Declaration): number {
  return new Estimator(checked, self).expect(root).cost;
}

class Estimator {
  readonly #checked: Checked;
  readonly #self: Declaration;
  readonly #known = new Map<Node, Expected>();
  #scope: readonly (readonly [string, Expected])[] = [];

  constructor(checked: Checked, self: Declaration) {
    this.#checked = checked;
    this.#self = self;
  }

  expect(node: Node): Expected {
    const known = this.#known.get(node);
    if (known !== undefined) return known;
    const expected = this.#expectOf(node);
    this.#known.set(node, expected);
    return expected;
  }

  #expectOf(node: Node): Expected {
    if (this.#checked.typeNames.has(node)) return this.#placed(node, 1, this.#self);
    switch (node.kind) {
      case 'literal': {
        const { value } = node.literal;
        const size = typeof value === 'string' ? lengthOf(value) : value instanceof Uint8Array ? value.length : 1;
        return { cost: 0, size: exactly(size), place: undefined };
      }
      case 'ident': {
        const local = this.#scope.findLast(([name]) => name === node.name)?.[1];
        return this.#placed(node, 1, local === undefined ? this.#self : local.place, local?.size);
      }
      case 'select': {
        const { cost, place } = this.expect(node.operand);
        if (node.mode === 'has') return { cost, size: exactly(1), place: undefined };
        if (node.mode === 'optional') return this.#made(node, cost + 1);
        const { kind } = this.#typeOf(node.operand);
        const step = kind === 'map' || kind === 'object' ? 1 : 0;
        return this.#placed(
          node,
          cost + step,
          this.#inside(place, ({ fields }) => fields?.get(node.field)),
        );
      }
      case 'call':
        return this.#call(node);
      case 'logic':
        return this.#made(node, sum(node.terms.map((term) => this.expect(term).cost)));
      case 'list': {
        const cost = sum(node.items.map((item) => this.expect(item.node).cost)) + 10;
        const itemSize = this.#sizeOfAll(node.items.map((item) => item.node));
        return { cost, size: exactly(node.items.length), place: undefined, itemSize };
      }
      case 'map': {
        const cost =
          sum(node.entries.flatMap(({ key, value }) => [this.expect(key).cost, this.expect(value).cost])) + 30;
        const itemSize = this.#sizeOfAll(node.entries.map(({ value }) => value));
        return { cost, size: exactly(node.entries.length), place: undefined, itemSize };
      }
      case 'struct':
        return this.#made(node, 40);
      case 'fold':
        return this.#fold(node);
      case 'bind': {
        const value = this.expect(node.value);
        const body = this.#within([[node.variable, value]], () => this.expect(node.body));
        // cel.bind is a fold over an empty list, which must be created.
        return { ...body, cost: 10 + value.cost + body.cost, place: undefined };
      }
    }
  }

  #sizeOfAll(nodes: readonly Node[]): Size {
    const sizes = nodes.map((node) => this.expect(node).size ?? unknownSize);
    return sizes.length === 0 ? exactly(0) : sizes.reduce(union);
  }

  #typeOf(node: Node): Type {
    return this.#checked.types.get(node) ?? this.#checked.type;
  }

  /** A field access. Values outside of the schema count as its root, as in Kubernetes. */
  #inside(
    place: Expected['place'],
    step: (declaration: Declaration) => Declaration | undefined,
  ): Declaration | 'nowhere' {
    if (place === undefined) return this.#self;
    return place === 'nowhere' ? place : (step(place) ?? 'nowhere');
  }

  #placed(node: Node, cost: number, place: Expected['place'], size?: Size): Expected {
    if (place === undefined || place === 'nowhere') return { ...this.#made(node, cost, size), place };
    return { cost, size: { min: 0, max: place.maxSize }, place };
  }

  /** A computed value: its size is known only when the type determines it. */
  #made(node: Node, cost: number, size?: Size): Expected {
    const type = this.#typeOf(node);
    const isFixed =
      fixed.has(type.kind) ||
      (type.params[0] !== undefined && type.kind === 'opaque' && fixed.has(type.params[0].kind));
    return { cost, size: size ?? (isFixed ? exactly(1) : undefined), place: undefined };
  }

  #argument(node: Node): Argument {
    const { size = unknownSize, place } = this.expect(node);
    const element = typeof place === 'object' ? place.element : undefined;
    const literal = node.kind === 'literal' && node.literal.type === 'int' ? Number(node.literal.value) : undefined;
    const itemSize = element === undefined ? unknownSize : { min: 0, max: element.maxSize };
    return { size, itemSize, type: this.#typeOf(node), literal };
  }

  #call(node: Node): Expected {
    const { overloads = [], args = [] } = this.#checked.calls.get(node) ?? {};
    const costs = args.map((arg) => this.expect(arg).cost);
    const known = args.map((arg) => this.#argument(arg));
    const name = overloads[0]?.name;
    if (name === '_?_:_') {
      const [condition = 0, yes = 0, no = 0] = costs;
      const size = union(known[1]?.size ?? unknownSize, known[2]?.size ?? unknownSize);
      return { cost: condition + Math.max(yes, no), size, place: undefined };
    }
    const calls = overloads.map((overload) => expectCall(overload, known));
    const cost = sum(costs) + Math.max(...calls.map((call) => call.cost));
    const sizes = calls.flatMap(({ size }) => (size === undefined ? [] : [size]));
    if (name === '_[_]' && args[0] !== undefined) {
      const { place, itemSize } = this.expect(args[0]);
      const element = this.#inside(place, (declaration) => declaration.element);
      return itemSize === undefined ? this.#placed(node, cost, element) : { cost, size: itemSize, place: element };
    }
    return this.#made(node, cost, sizes.length === 0 ? undefined : sizes.reduce(union));
  }

  #fold(node: FoldNode): Expected {
    const { range, variables, filter, body, fold } = node;
    const over = this.expect(range);
    const isList = this.#typeOf(range).kind === 'list';
    const element = this.#inside(over.place, (declaration) => declaration.element);
    const key = isList ? 'nowhere' : this.#inside(over.place, (declaration) => declaration.key);
    const places = variables.length === 2 ? [key, element] : [isList ? element : key];
    const scope = variables.map((name, index): [string, Expected] => [
      name,
      { cost: 1, size: undefined, place: places[index] },
    ]);
    const [test, each] = this.#within(scope, () => [
      filter === undefined ? 0 : this.expect(filter).cost,
      this.expect(body).cost,
    ]);
    const { start, step, end } = foldCosts[fold];
    const times = over.size ?? unknownSize;
    const cost = over.cost + start + product(times.max, test + each + step) + end;
    return this.#made(node, cost, isMaking(fold) ? times : exactly(1));
  }

  #within<T>(variables: readonly (readonly [string, Expected])[], run: () => T): T {
    const outer = this.#scope;
    this.#scope = [...outer, ...variables];
    const result = run();
    this.#scope = outer;
    return result;
  }
}

function expectCall({ cost, estimate }: Overload, args: readonly Argument[]): { cost: number; size: Size | undefined } {
  const estimated = estimate?.(...args);
  const byCost = cost?.(...args.map(({ size }) => size.max));
  return { cost: estimated?.cost ?? byCost ?? 1, size: estimated?.size };
}

const fixed: ReadonlySet<Type['kind']> = new Set(['bool', 'int', 'uint', 'double', 'duration', 'timestamp']);

function isMaking(fold: Fold): boolean {
  return fold === 'list' || fold === 'map' || fold === 'mapEntries';
}

function exactly(size: number): Size {
  return { min: size, max: size };
}

function union(a: Size, b: Size): Size {
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) };
}

function sum(costs: readonly number[]): number {
  return costs.reduce((total, cost) => total + cost, 0);
}
