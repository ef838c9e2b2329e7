// SPDX-License-Identifier: Apache-2.0
import { dyn, type Type } from '../values/type.ts';

/** Bindings of type parameters; a failed unification leaves none behind. */
export class Unifier {
  readonly #bound = new Map<string, Type>();
  readonly #undo: { name: string; before: Type | undefined }[] = [];
  #fresh = 0;

  /** A fresh type parameter. */
  parameter(): Type {
    return { kind: 'param', name: `_var${this.#fresh++}`, params: [], weight: 1 };
  }

  /** Unifies two types; binds their parameters on success. */
  agree(from: readonly Type[], to: readonly Type[]): boolean {
    this.#undo.length = 0;
    if (this.#allAgree(from, to)) return true;
    for (const { name, before } of this.#undo.toReversed()) {
      if (before === undefined) this.#bound.delete(name);
      else this.#bound.set(name, before);
    }
    return false;
  }

  /** The type with its parameters substituted; unbound ones stay, or become dyn at the end. */
  resolve(type: Type, settled = false): Type {
    if (type.kind === 'param') {
      const bound = this.#bound.get(type.name);
      if (bound !== undefined) return this.resolve(bound, settled);
      return settled ? dyn : type;
    }
    if (type.params.length === 0) return type;
    const params = type.params.map((each) => this.resolve(each, settled));
    if (params.every((each, index) => each === type.params[index])) return type;
    return { ...type, params, weight: params.reduce((sum, { weight }) => sum + weight, 1) };
  }

  #allAgree(from: readonly Type[], to: readonly Type[]): boolean {
    return from.length === to.length && from.every((type, index) => this.#agrees(type, to[index] ?? dyn));
  }

  #agrees(from: Type, to: Type): boolean {
    if (from === to) return true;
    if (to.kind === 'param') {
      const decided = this.#decide(to, from);
      if (decided !== undefined) return decided;
    }
    if (from.kind === 'param') return this.#decide(from, to) ?? false;
    if (isFree(from) || isFree(to)) return true;
    if (from.kind === 'null') return isNullable(to);
    if (to.kind === 'null') return isNullable(from);
    if (from.kind !== to.kind) return false;
    return from.kind === 'type' || (from.name === to.name && this.#allAgree(from.params, to.params));
  }

  /** Binds a parameter, or unifies it with its binding; fails when the type contains the parameter itself. */
  #decide(parameter: Type, type: Type): boolean | undefined {
    if (type.kind === 'param' && type.name === parameter.name) return true;
    const bound = this.#bound.get(parameter.name);
    if (bound === undefined) {
      if (this.#occurs(parameter, type)) return undefined;
      this.#bind(parameter, type);
      return true;
    }
    if (bound === type) return true;
    if (!this.#agrees(type, bound)) return false;
    if (!isAsGeneral(bound, type) && !this.#occurs(parameter, type)) this.#bind(parameter, type);
    return true;
  }

  #bind({ name }: Type, type: Type): void {
    this.#undo.push({ name, before: this.#bound.get(name) });
    this.#bound.set(name, type);
  }

  #occurs(parameter: Type, type: Type): boolean {
    if (type.kind !== 'param') return type.params.some((each) => this.#occurs(parameter, each));
    if (type.name === parameter.name) return true;
    const bound = this.#bound.get(type.name);
    return bound !== undefined && this.#occurs(parameter, bound);
  }
}

/** Whether the first of two compatible types is at least as general. */
export function isAsGeneral(first: Type, second: Type): boolean {
  if (first === second || first.kind === 'dyn' || first.kind === 'param') return true;
  if (second.kind === 'dyn' || second.kind === 'param' || first.kind !== second.kind) return false;
  return first.params.every((each, index) => isAsGeneral(each, second.params[index] ?? dyn));
}

function isFree({ kind }: Type): boolean {
  return kind === 'dyn' || kind === 'error';
}

function isNullable({ kind }: Type): boolean {
  return ['null', 'opaque', 'object', 'duration', 'timestamp'].includes(kind);
}
