// SPDX-License-Identifier: Apache-2.0

/** Where a walk through an object is; spelled out only when there is something to say about the place. */
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

  /** Like `spec.containers[0].image`, keys of maps like `limits[cpu]`, perhaps with one step more; the root is the empty text. */
  toString(further?: string): string {
    const steps = further === undefined ? this.#steps : [...this.#steps, further];
    return steps.reduce<string>((path, step) => {
      if (typeof step === 'number') return `${path}[${step}]`;
      if (step.startsWith('[')) return path + step;
      return path === '' ? step : `${path}.${step}`;
    }, '');
  }
}
