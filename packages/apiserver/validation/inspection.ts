// SPDX-License-Identifier: Apache-2.0
import {
  duplicate,
  forbidden,
  isFull,
  invalidValue,
  maxErrorText,
  notFound,
  required,
  tooLong,
  tooMany,
  unsupported,
  type FieldError,
} from '@forge/kube/errors/field-error.ts';
import { FieldPath } from '@forge/kube/errors/field-path.ts';
import { WorkBudget } from '@forge/kube/regex/work-budget.ts';

/** A validation rule: reports errors of a value at its path; a missing value is undefined. */
export type Rule<T> = (value: T | undefined, at: Inspection) => void;

/** A validation run: the current path and the errors so far. */
export class Inspection {
  readonly errors: FieldError[] = [];
  readonly #path = new FieldPath();
  #budget: WorkBudget | undefined;
  /** The length of all messages. */
  #text = 0;

  /** The work budget shared by all patterns of this validation. */
  get budget(): WorkBudget {
    return (this.#budget ??= new WorkBudget());
  }

  /** Whether there are more errors, or more text of errors, than are reported. */
  get isFull(): boolean {
    return isFull(this.errors) || this.#text > maxErrorText;
  }

  /** Adds an error; one too many is not even formatted, since its text can be a whole list. */
  #add(format: () => FieldError): void {
    if (this.isFull) return;
    const error = format();
    this.errors.push(error);
    this.#text += error.message.length;
  }

  /** Validates a field or list item. */
  inside<T>(step: string | number, value: T | null | undefined, rule: Rule<T>): void {
    this.#path.enter(step);
    rule(value ?? undefined, this);
    this.#path.leave();
  }

  /** The current path: `spec.containers[0]`. */
  get place(): string {
    return this.#path.toString();
  }

  // Each error is about the current path, or about a field of it.

  required(detail?: string, field?: string): void {
    this.#add(() => required(this.#path.toString(field), detail));
  }

  invalid(value: unknown, detail: string, field?: string): void {
    this.#add(() => invalidValue(this.#path.toString(field), value, detail));
  }

  immutable(value: unknown, field?: string): void {
    this.invalid(value ?? null, 'field is immutable', field);
  }

  unsupported(value: unknown, supported: readonly unknown[], field?: string): void {
    this.#add(() => unsupported(this.#path.toString(field), value, supported));
  }

  duplicate(value: unknown, field?: string): void {
    this.#add(() => duplicate(this.#path.toString(field), value));
  }

  forbidden(detail: string, field?: string): void {
    this.#add(() => forbidden(this.#path.toString(field), detail));
  }

  tooMany(actual: number, limit: number): void {
    this.#add(() => tooMany(this.#path.toString(), actual, limit));
  }

  tooLong(limit: number, field?: string): void {
    this.#add(() => tooLong(this.#path.toString(field), limit));
  }

  notFound(value: unknown, field?: string): void {
    this.#add(() => notFound(this.#path.toString(field), value));
  }
}
