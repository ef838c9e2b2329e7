// SPDX-License-Identifier: Apache-2.0

/** The current position of a walk through an object; formatted only when needed. */
export class FieldPath {
  readonly #steps: (string | number)[] = [];

  /** Fields and keys by name, items of lists by number; the root first. */
  get steps(): readonly (string | number)[] {
    return this.#steps;
  }

  enter(step: string | number): void {
    this.#steps.push(step);
  }

  leave(): void {
    this.#steps.pop();
  }

  /** As `spec.containers[0].image`, map keys as `limits[cpu]`, optionally with a further step; the root is empty. */
  toString(further?: string): string {
    const steps = further === undefined ? this.#steps : [...this.#steps, further];
    return steps.reduce<string>((path, step) => {
      if (typeof step === 'number') return `${path}[${step}]`;
      if (step.startsWith('[')) return path + step;
      return path === '' ? step : `${path}.${step}`;
    }, '');
  }
}
