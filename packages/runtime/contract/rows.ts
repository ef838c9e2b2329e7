// SPDX-License-Identifier: Apache-2.0
import type { EventNote } from '../events/event-recorder.ts';
import type { ConditionRow, EventRow, Recheck } from './contract.ts';

/** A row with its placeholders filled in. */
export interface Statement extends Readonly<Pick<ConditionRow, 'status' | 'reason' | 'message'>> {
  /** The condition of the row. */
  readonly type: string;
  readonly recheck?: Recheck;
  /** The message without its suffix, where the row allows one. */
  readonly stem?: string;
  readonly counts?: ConditionRow['counts'];
}

/** The names in the braces of a message: `{name}` and `{owner}`. */
type Placeholder<M extends string> = M extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never;

type Values<M extends string> = Readonly<Record<Placeholder<M>, string | number>>;

type Fill<M extends string, R> = string extends M
  ? (values?: Readonly<Record<string, string | number>>, suffix?: string) => R
  : [Placeholder<M>] extends [never]
    ? (values?: undefined, suffix?: string) => R
    : (values: Values<M>, suffix?: string) => R;

/** A row of the contract as a function that steps call: `rows.notReady({ store })`. */
export type ConditionTemplate<M extends string = string> = Fill<M, Statement> & { readonly row: ConditionRow };

/** An Event of the contract as a function that steps call. */
export type EventTemplate<M extends string = string> = Fill<M, EventNote> & { readonly row: EventRow };

type RowsOf<D extends Readonly<Record<string, { readonly message: string }>>> = {
  readonly [Name in keyof D]: ConditionTemplate<D[Name]['message']>;
};

/** The rows of one condition, as functions by name. */
export function conditionRows<const D extends Readonly<Record<string, Omit<ConditionRow, 'type'>>>>(
  type: string,
  definitions: D,
): RowsOf<D> {
  const entries = Object.entries(definitions).map(([name, definition]) => [
    name,
    conditionTemplate({ type, ...definition }),
  ]);
  return Object.fromEntries(entries) as RowsOf<D>;
}

/** One row as a function. */
export function conditionTemplate<const R extends ConditionRow>(row: R): ConditionTemplate<R['message']> {
  const { type, status, reason, recheck, counts } = row;
  const state = (values?: Readonly<Record<string, string | number>>, suffix?: string): Statement => {
    if (suffix !== undefined && row.suffix === undefined) {
      throw new Error(`the row ${type} ${reason} allows no suffix: "${suffix}"`);
    }
    const stem = fillPlaceholders(row.message, values);
    const message = suffix === undefined ? stem : withSuffix(stem, suffix);
    const optional = {
      ...(recheck !== undefined && { recheck }),
      ...(row.suffix !== undefined && { stem }),
      ...(counts !== undefined && { counts }),
    };
    return { type, status, reason, message, ...optional };
  };
  return Object.assign(state, { row });
}

/** The Events of an operator, as functions by name. */
export function eventRows<const D extends Readonly<Record<string, EventRow>>>(
  definitions: D,
): { readonly [Name in keyof D]: EventTemplate<D[Name]['message']> } {
  const entries = Object.entries(definitions).map(([name, row]) => {
    const note = (values?: Readonly<Record<string, string | number>>): EventNote => ({
      ...row,
      message: fillPlaceholders(row.message, values),
    });
    return [name, Object.assign(note, { row })];
  });
  return Object.fromEntries(entries) as { readonly [Name in keyof D]: EventTemplate<D[Name]['message']> };
}

/** The rows as a contract lists them. */
export function rowsOf<R>(groups: readonly Readonly<Record<string, { readonly row: R }>>[]): R[] {
  return groups.flatMap((group) => Object.values(group).map(({ row }) => row));
}

/** Keeps a message readable that says what is wrong with pods. */
const maxLength = 256;

/** The message with its suffix cut where both together are too long; the message itself is a contract, and stays whole. */
function withSuffix(stem: string, suffix: string): string {
  const message = `${stem}: ${suffix}`;
  return message.length <= maxLength ? message : `${message.slice(0, Math.max(stem.length + 2, maxLength - 1))}…`;
}

function fillPlaceholders(message: string, values: Readonly<Record<string, string | number>> = {}): string {
  return message.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (!Object.hasOwn(values, name)) throw new Error(`"${message}" is missing a value for {${name}}`);
    return String(values[name]);
  });
}
