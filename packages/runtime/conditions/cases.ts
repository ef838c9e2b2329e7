// SPDX-License-Identifier: Apache-2.0
import type { EventNote } from '../events/event-recorder.ts';
import type { ConditionCase, ConditionType, EventCase, Recheck } from './condition-catalog.ts';

/** A case with its placeholders filled in. */
export interface Statement extends Readonly<Pick<ConditionCase, 'status' | 'reason' | 'message'>> {
  /** The condition of the case. */
  readonly type: string;
  readonly recheck?: Recheck;
  /** The message without its suffix, where the case allows one. */
  readonly baseMessage?: string;
  readonly counts?: ConditionCase['counts'];
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

/** A case of the catalog as a function that steps call: `cases.notReady({ store })`. */
export type ConditionTemplate<M extends string = string> = Fill<M, Statement> & { readonly definition: ConditionCase };

/** An Event of the catalog as a function that steps call. */
export type EventTemplate<M extends string = string> = Fill<M, EventNote> & { readonly definition: EventCase };

type CasesOf<D extends Readonly<Record<string, { readonly message: string }>>> = {
  readonly [Name in keyof D]: ConditionTemplate<D[Name]['message']>;
};

/** The cases of one condition, as functions by name; the condition is a type, or a type with what it says. */
export function conditionCases<const D extends Readonly<Record<string, Omit<ConditionCase, keyof ConditionType>>>>(
  condition: string | ConditionType,
  definitions: D,
): CasesOf<D> {
  const type = typeof condition === 'string' ? { type: condition } : condition;
  const entries = Object.entries(definitions).map(([name, definition]) => [
    name,
    conditionTemplate({ ...type, ...definition }),
  ]);
  return Object.fromEntries(entries) as CasesOf<D>;
}

/** One case as a function. */
export function conditionTemplate<const R extends ConditionCase>(definition: R): ConditionTemplate<R['message']> {
  const { type, status, reason, recheck, counts } = definition;
  const state = (values?: Readonly<Record<string, string | number>>, suffix?: string): Statement => {
    if (suffix !== undefined && definition.suffix === undefined) {
      throw new Error(`the case ${type} ${reason} allows no suffix: "${suffix}"`);
    }
    const baseMessage = fillPlaceholders(definition.message, values);
    const message = suffix === undefined ? baseMessage : withSuffix(baseMessage, suffix);
    const optional = {
      ...(recheck !== undefined && { recheck }),
      ...(definition.suffix !== undefined && { baseMessage }),
      ...(counts !== undefined && { counts }),
    };
    return { type, status, reason, message, ...optional };
  };
  return Object.assign(state, { definition });
}

/** The Events of an operator, as functions by name. */
export function eventCases<const D extends Readonly<Record<string, EventCase>>>(
  definitions: D,
): { readonly [Name in keyof D]: EventTemplate<D[Name]['message']> } {
  const entries = Object.entries(definitions).map(([name, definition]) => {
    const note = (values?: Readonly<Record<string, string | number>>): EventNote => ({
      ...definition,
      message: fillPlaceholders(definition.message, values),
    });
    return [name, Object.assign(note, { definition })];
  });
  return Object.fromEntries(entries) as { readonly [Name in keyof D]: EventTemplate<D[Name]['message']> };
}

/** The cases as a catalog lists them. */
export function casesOf<R>(groups: readonly Readonly<Record<string, { readonly definition: R }>>[]): R[] {
  return groups.flatMap((group) => Object.values(group).map(({ definition }) => definition));
}

/** Keeps messages about problems of pods readable. */
const maxLength = 256;

/** The message with its suffix, which is cut if both together are too long; the message itself is part of the API and never cut. */
function withSuffix(baseMessage: string, suffix: string): string {
  const message = `${baseMessage}: ${suffix}`;
  return message.length <= maxLength
    ? message
    : `${message.slice(0, Math.max(baseMessage.length + 2, maxLength - 1))}…`;
}

function fillPlaceholders(message: string, values: Readonly<Record<string, string | number>> = {}): string {
  return message.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (!Object.hasOwn(values, name)) throw new Error(`"${message}" is missing a value for {${name}}`);
    return String(values[name]);
  });
}
