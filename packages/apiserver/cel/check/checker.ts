// SPDX-License-Identifier: Apache-2.0
import { functions } from '../library/functions.ts';
import type { Overload } from '../library/overload.ts';
import type { CallNode, FoldNode, Item, Node, SelectNode } from '../syntax/ast.ts';
import type { Issue } from '../syntax/issue.ts';
import {
  bool,
  bytes,
  double,
  duration,
  dyn,
  errorType,
  formatType,
  int,
  isOptional,
  isSameType,
  listOf,
  mapOf,
  nullType,
  opaque,
  optionalOf,
  string,
  timestamp,
  type Type,
  typeOf,
  uint,
} from '../values/type.ts';
import { isAsGeneral, Unifier } from './unifier.ts';

/** A call with its candidate overloads; more than one only with dynamic types. */
export interface Resolution {
  readonly overloads: readonly Overload[];
  readonly args: readonly Node[];
}

/** The result of type checking. */
export interface Checked {
  readonly type: Type;
  readonly types: ReadonlyMap<Node, Type>;
  readonly calls: ReadonlyMap<Node, Resolution>;
  /** Type names: `int`, `net.IP`. */
  readonly typeNames: ReadonlyMap<Node, string>;
  /** Variables of the environment that the expression reads. */
  readonly reads: ReadonlySet<string>;
  readonly issues: readonly Issue[];
}

const types: ReadonlyMap<string, Type> = new Map([
  ...[bool, int, uint, double, string, bytes].map((type): [string, Type] => [type.name, type]),
  ['list', listOf(dyn)],
  ['map', mapOf(dyn, dyn)],
  ['null_type', nullType],
  ['type', typeOf(dyn)],
  ['google.protobuf.Timestamp', timestamp],
  ['google.protobuf.Duration', duration],
  ['optional_type', optionalOf(dyn)],
  ['net.IP', opaque('net.IP')],
  ['net.CIDR', opaque('net.CIDR')],
]);

const literalTypes = { null: nullType, bool, int, uint, double, string, bytes };
const heaviest = 1000;

/** Type-checks an expression and resolves its calls. */
export function check(root: Node, variables: ReadonlyMap<string, Type>): Checked {
  return new Checker(variables).run(root);
}

class Checker {
  readonly #variables: ReadonlyMap<string, Type>;
  readonly #unifier = new Unifier();
  readonly #types = new Map<Node, Type>();
  readonly #calls = new Map<Node, Resolution>();
  readonly #typeNames = new Map<Node, string>();
  readonly #reads = new Set<string>();
  readonly #issues: Issue[] = [];
  #scope: readonly (readonly [string, Type])[] = [];

  constructor(variables: ReadonlyMap<string, Type>) {
    this.#variables = variables;
  }

  run(root: Node): Checked {
    this.#check(root);
    for (const [node, type] of this.#types) this.#types.set(node, this.#unifier.resolve(type, true));
    return {
      type: this.#types.get(root) ?? errorType,
      types: this.#types,
      calls: this.#calls,
      typeNames: this.#typeNames,
      reads: this.#reads,
      issues: this.#issues,
    };
  }

  #report(at: number, message: string): Type {
    this.#issues.push({ at, message });
    return errorType;
  }

  #undeclared(at: number, name: string): Type {
    return this.#report(at, `undeclared reference to '${name}' (in container '')`);
  }

  #mismatch(at: number, expected: Type, found: Type): Type {
    const resolve = (type: Type): string => formatType(this.#unifier.resolve(type));
    return this.#report(at, `expected type '${resolve(expected)}' but found '${resolve(found)}'`);
  }

  /** Nodes shared by macro expansion are checked once. */
  #check(node: Node): Type {
    const known = this.#types.get(node);
    if (known !== undefined) return known;
    const type = this.#unifier.resolve(this.#typeOf(node));
    const kept = type.weight > heaviest ? this.#report(node.at, 'type is too complex') : type;
    this.#types.set(node, kept);
    return kept;
  }

  #typeOf(node: Node): Type {
    switch (node.kind) {
      case 'literal':
        return literalTypes[node.literal.type];
      case 'ident':
        return this.#named(node, node.name) ?? this.#undeclared(node.at, node.name);
      case 'select':
        return this.#select(node);
      case 'call':
        return this.#call(node);
      case 'logic':
        for (const term of node.terms) this.#expect(term, bool);
        return bool;
      case 'list':
        return listOf(this.#join(node.items));
      case 'map': {
        const key = this.#join(node.entries.map((entry) => ({ node: entry.key, optional: false })));
        return mapOf(key, this.#join(node.entries.map(({ value, optional }) => ({ node: value, optional }))));
      }
      case 'struct':
        return types.has(node.name)
          ? this.#report(node.at, `'${node.name}' is not a message type`)
          : this.#undeclared(node.at, node.name);
      case 'fold':
        return this.#fold(node);
      case 'bind': {
        const value = this.#check(node.value);
        return this.#within([[node.variable, value]], () => this.#check(node.body));
      }
    }
  }

  #expect(node: Node, type: Type): void {
    const found = this.#check(node);
    if (!this.#unifier.agree([found], [type])) this.#mismatch(node.at, type, found);
  }

  #within<T>(variables: readonly (readonly [string, Type])[], inner: () => T): T {
    const outer = this.#scope;
    this.#scope = [...outer, ...variables];
    const result = inner();
    this.#scope = outer;
    return result;
  }

  /** The type of a variable or type name. */
  #named(node: Node, name: string): Type | undefined {
    const local = this.#scope.findLast(([each]) => each === name)?.[1];
    if (local !== undefined) return local;
    const variable = this.#variables.get(name);
    if (variable !== undefined) {
      this.#reads.add(name);
      return variable;
    }
    const type = types.get(name);
    if (type === undefined) return undefined;
    this.#typeNames.set(node, name);
    return typeOf(type);
  }

  #select(node: SelectNode): Type {
    const { at, operand, field, mode } = node;
    const name = mode === 'get' ? qualifiedName(node) : undefined;
    if (name !== undefined && types.has(name)) return this.#named(node, name) ?? errorType;
    const whole = this.#unifier.resolve(this.#check(operand));
    const optional = isOptional(whole);
    const type = optional ? (whole.params[0] ?? dyn) : whole;
    const found = this.#fieldOf(type, field, at);
    if (mode === 'has') return bool;
    return optional || mode === 'optional' ? optionalOf(found) : found;
  }

  #fieldOf(type: Type, field: string, at: number): Type {
    const { kind, params, fields } = type;
    if (kind === 'map') return params[1] ?? dyn;
    if (kind === 'object') {
      // Fields named like a keyword can also be written unescaped.
      const unknown =
        fields === undefined ? `unexpected failed resolution of '${type.name}'` : `undefined field '${field}'`;
      return fields?.get(field) ?? fields?.get(`__${field}__`) ?? this.#report(at, unknown);
    }
    if (kind === 'param') this.#unifier.agree([dyn], [type]);
    else if (kind !== 'dyn' && kind !== 'error') {
      this.#report(at, `type '${formatType(type)}' does not support field selection`);
    }
    return dyn;
  }

  #call(node: CallNode): Type {
    const { at, name, target, args } = node;
    for (const arg of args) this.#check(arg);
    if (target === undefined) {
      const candidates = functions.get(name);
      return candidates === undefined ? this.#undeclared(at, name) : this.#resolve(node, name, candidates, false, args);
    }
    const prefix = qualifiedName(target);
    const qualified = `${prefix}.${name}`;
    const inNamespace = prefix === undefined ? undefined : functions.get(qualified);
    if (inNamespace !== undefined) return this.#resolve(node, qualified, inNamespace, false, args);
    this.#check(target);
    const candidates = functions.get(name);
    return candidates === undefined
      ? this.#undeclared(at, name)
      : this.#resolve(node, name, candidates, true, [target, ...args]);
  }

  #resolve(
    node: CallNode,
    name: string,
    candidates: readonly Overload[],
    member: boolean,
    args: readonly Node[],
  ): Type {
    const given = args.map((arg) => this.#check(arg));
    const overloads: Overload[] = [];
    let result: Type | undefined;
    for (const overload of candidates) {
      if (overload.member !== member) continue;
      const fresh = new Map<string, Type>();
      const params = overload.params.map((type) => this.#renamed(type, fresh));
      if (!this.#unifier.agree(given, params)) continue;
      overloads.push(overload);
      const own = this.#unifier.resolve(this.#renamed(overload.result, fresh));
      if (result === undefined) result = own;
      else if (!isSameType(result, own)) result = dyn;
    }
    if (result === undefined) {
      const texts = given.map((type) => formatType(this.#unifier.resolve(type, true)));
      const signature = member ? `${texts[0]}.(${texts.slice(1).join(', ')})` : `(${texts.join(', ')})`;
      return this.#report(node.at, `found no matching overload for '${name}' applied to '${signature}'`);
    }
    this.#calls.set(node, { overloads, args });
    return result;
  }

  /** The type with fresh type parameters. */
  #renamed(type: Type, fresh: Map<string, Type>): Type {
    if (type.kind === 'param') {
      const known = fresh.get(type.name) ?? this.#unifier.parameter();
      fresh.set(type.name, known);
      return known;
    }
    return type.params.length === 0 ? type : { ...type, params: type.params.map((each) => this.#renamed(each, fresh)) };
  }

  /** The common type. */
  #join(items: readonly Item[]): Type {
    let joined: Type | undefined;
    for (const { node, optional } of items) {
      const whole = this.#check(node);
      const isValue = optional && !isOptional(whole) && whole.kind !== 'dyn';
      if (isValue) this.#mismatch(node.at, optionalOf(whole), whole);
      const type = optional && isOptional(whole) ? (whole.params[0] ?? dyn) : whole;
      // Mixed literals are rejected later, since some places allow them.
      if (joined === undefined) joined = type;
      else if (!this.#unifier.agree([joined], [type])) joined = dyn;
      else if (!isAsGeneral(joined, type)) joined = type;
    }
    return joined ?? this.#unifier.parameter();
  }

  #fold(node: FoldNode): Type {
    const { range, variables, filter, body, fold } = node;
    const over = this.#unifier.resolve(this.#check(range));
    const held = this.#heldBy(over, range.at, variables.length);
    const scope = variables.map((name, index): [string, Type] => [name, held[index] ?? dyn]);
    return this.#within(scope, () => {
      if (filter !== undefined) this.#expect(filter, bool);
      switch (fold) {
        case 'all':
        case 'exists':
        case 'existsOne':
          this.#expect(body, bool);
          return bool;
        case 'list':
          return listOf(this.#check(body));
        case 'map':
          return mapOf(held[0] ?? dyn, this.#check(body));
        case 'mapEntries': {
          const entries = mapOf(this.#unifier.parameter(), this.#unifier.parameter());
          this.#expect(body, entries);
          return this.#unifier.resolve(entries);
        }
      }
    });
  }

  /** The types of the iteration variables. */
  #heldBy(type: Type, at: number, count: number): readonly Type[] {
    const { kind, params } = type;
    if (kind === 'list') return count === 1 ? params : [int, ...params];
    if (kind === 'map') return params;
    if (kind === 'param') this.#unifier.agree([dyn], [type]);
    if (kind === 'param' || kind === 'dyn' || kind === 'error') return [dyn, dyn];
    const rule = 'cannot be range of a comprehension (must be list, map, or dynamic)';
    this.#report(at, `expression of type '${formatType(type)}' ${rule}`);
    return [errorType, errorType];
  }
}

/** `a.b.c` as a name; undefined for anything but identifiers. */
function qualifiedName(node: Node): string | undefined {
  if (node.kind === 'ident') return node.name;
  if (node.kind !== 'select' || node.mode !== 'get') return undefined;
  const prefix = qualifiedName(node.operand);
  return prefix === undefined ? undefined : `${prefix}.${node.field}`;
}
