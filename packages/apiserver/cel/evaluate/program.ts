// SPDX-License-Identifier: Apache-2.0
import type { Checked, Resolution } from '../check/checker.ts';
import type { BindNode, Literal, Node } from '../syntax/ast.ts';
import { Meter } from '../values/meter.ts';
import type { Type } from '../values/type.ts';
import { EvalError, TypeValue, Uint, type Value } from '../values/value.ts';
import { call, lazyCall } from './evaluate-call.ts';
import { fold } from './evaluate-fold.ts';
import { list, map } from './evaluate-literal.ts';
import { logic } from './evaluate-logic.ts';
import { path, pathOf, select } from './evaluate-select.ts';
import { type Evaluate, variable } from './scope.ts';

const constantLimit = 1_000_000;

/** Calls that are constant-folded. */
const conversions = new Set('bool bytes double duration dyn int string timestamp type uint'.split(' '));

/** Compiles a checked expression to closures; returns an error for an invalid constant. */
export function compileProgram(root: Node, checked: Checked): Evaluate | EvalError {
  const compiler = new Compiler(checked);
  const evaluate = compiler.compile(root);
  return compiler.failed ?? evaluate;
}

class Compiler {
  readonly #checked: Checked;
  readonly #known = new Map<Node, Evaluate>();
  readonly #constants = new Map<Evaluate, Value>();

  constructor(checked: Checked) {
    this.#checked = checked;
  }

  /** The error of the first failed constant conversion. */
  failed: EvalError | undefined;

  compile(node: Node): Evaluate {
    const known = this.#known.get(node);
    if (known !== undefined) return known;
    const evaluate = this.#closure(node);
    this.#known.set(node, evaluate);
    return evaluate;
  }

  #closure(node: Node): Evaluate {
    const typeName = this.#checked.typeNames.get(node);
    if (typeName !== undefined) return this.#constant(new TypeValue(typeName));
    switch (node.kind) {
      case 'literal':
        return this.#constant(literalValue(node.literal));
      case 'ident':
        return variable(node.name);
      case 'select': {
        const fields = pathOf(node, (each) => this.#checked.typeNames.has(each));
        return fields === undefined ? select(node, this.compile(node.operand)) : path(fields);
      }
      case 'call': {
        const resolution = this.#checked.calls.get(node);
        if (resolution === undefined) throw new Error(`The call of ${node.name} was not type-checked`);
        return this.#call(resolution);
      }
      case 'logic':
        return logic(
          node.operator === '||',
          node.terms.map((term) => this.compile(term)),
        );
      case 'list': {
        const items = node.items.map((item) => ({ evaluate: this.compile(item.node), optional: item.optional }));
        const parts = items.map(({ evaluate }) => evaluate);
        return this.#settled(list(items), parts);
      }
      case 'map': {
        const entries = node.entries.map(({ key, value, optional }) => ({
          key: this.compile(key),
          value: this.compile(value),
          optional,
        }));
        return this.#settled(
          map(entries),
          entries.flatMap(({ key, value }) => [key, value]),
        );
      }
      case 'struct':
        throw new Error(`The checker must reject the message ${node.name}`);
      case 'fold': {
        const filter = node.filter === undefined ? undefined : this.compile(node.filter);
        return fold(node, this.compile(node.range), filter, this.compile(node.body));
      }
      case 'bind':
        return this.#bind(node);
    }
  }

  #constant(value: Value): Evaluate {
    const evaluate = (): Value => value;
    this.#constants.set(evaluate, value);
    return evaluate;
  }

  /** Constant folding: a call with constant arguments costs nothing at run time. */
  #settled(evaluate: Evaluate, parts: readonly Evaluate[]): Evaluate {
    if (!parts.every((part) => this.#constants.has(part))) return evaluate;
    const value = evaluate(undefined, new Meter(constantLimit));
    if (!(value instanceof EvalError)) return this.#constant(value);
    this.failed ??= value;
    return evaluate;
  }

  #call({ overloads, args }: Resolution): Evaluate {
    const evaluates = args.map((arg) => this.compile(arg));
    const [first] = overloads;
    if (first?.choose !== undefined) return lazyCall(first, evaluates);
    const isCertain = overloads.length === 1 && args.every((arg) => isReliable(this.#checked.types.get(arg)?.kind));
    const evaluate = call(overloads, evaluates, isCertain);
    return conversions.has(first?.name ?? '') ? this.#settled(evaluate, evaluates) : evaluate;
  }

  #bind({ variable: name, value, body }: BindNode): Evaluate {
    const evaluateValue = this.compile(value);
    const evaluateBody = this.compile(body);
    return (scope, meter) => evaluateBody({ name, value: evaluateValue(scope, meter), outer: scope }, meter);
  }
}

/** Whether values always have their declared type; times of a namespaceObject are strings, as in Kubernetes. */
function isReliable(kind: Type['kind'] | undefined): boolean {
  return kind !== 'dyn' && kind !== 'timestamp';
}

function literalValue(literal: Literal): Value {
  return literal.type === 'uint' ? new Uint(literal.value) : literal.value;
}
