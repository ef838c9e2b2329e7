// SPDX-License-Identifier: Apache-2.0

/** Expressions that are compiled when they are first needed: compiling those of all policies at once takes too long. */
export class LazyExpressions<T> {
  readonly #characters: number;
  readonly #compile: () => T;
  #compiled: { readonly value: T } | undefined;

  constructor(expressions: readonly string[], compile: () => T) {
    this.#characters = expressions.reduce((sum, { length }) => sum + length, 0);
    this.#compile = compile;
  }

  /** How many characters are still to be compiled. */
  get characters(): number {
    return this.#compiled === undefined ? this.#characters : 0;
  }

  /** The compiled expressions. */
  get value(): T {
    return (this.#compiled ??= { value: this.#compile() }).value;
  }
}
