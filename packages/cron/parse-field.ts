// SPDX-License-Identifier: Apache-2.0

/** A field of an expression: its range, and the names of its values from the minimum on. */
export interface Field {
  readonly name: string;
  readonly minimum: number;
  readonly maximum: number;
  readonly names?: readonly string[];
}

/** The values that a field allows. */
export interface FieldValues {
  readonly values: ReadonlySet<number>;
  /** Whether the field has a `*` or `?` without a step, and so restricts nothing. */
  readonly isAny: boolean;
}

/** A part of a field that cannot be parsed; the reason is in the words of Kubernetes' parser. */
export class FieldError extends Error {
  override readonly name = 'FieldError';
}

/** Parses a list of values, ranges and steps; throws a FieldError. */
export function parseField(text: string, field: Field): FieldValues {
  const ranges = text.split(',').filter((part) => part !== '');
  const parsed = ranges.map((range) => parseRange(range, field));
  return {
    values: new Set(parsed.flatMap(({ values }) => values)),
    isAny: parsed.some(({ isAny }) => isAny),
  };
}

/** `*`, `5` or `1-5`, each optionally with a step after a slash. */
function parseRange(text: string, field: Field): { values: number[]; isAny: boolean } {
  const [range = '', stepText, ...moreSteps] = text.split('/');
  const [from = '', to, ...moreEnds] = range.split('-');
  const { minimum, maximum } = field;
  const isStar = from === '*' || from === '?';
  const start = isStar ? minimum : valueOf(from, field);
  if (!isStar && moreEnds.length > 0) throw new FieldError(`too many hyphens: ${text}`);
  const given = isStar ? maximum : to === undefined ? start : valueOf(to, field);
  if (moreSteps.length > 0) throw new FieldError(`too many slashes: ${text}`);
  const step = stepText === undefined ? 1n : integer(stepText);
  const end = stepText !== undefined && to === undefined ? maximum : given;
  if (start < minimum) throw new FieldError(`beginning of range (${start}) below minimum (${minimum}): ${text}`);
  if (end > maximum) throw new FieldError(`end of range (${end}) above maximum (${maximum}): ${text}`);
  if (start > end) throw new FieldError(`beginning of range (${start}) beyond end of range (${end}): ${text}`);
  if (step === 0n) throw new FieldError(`step of range should be a positive number: ${text}`);
  const count = (Number(end) - Number(start)) / Number(step);
  const values = Array.from({ length: Math.floor(count) + 1 }, (_, index) => Number(start) + index * Number(step));
  return { values, isAny: isStar && step === 1n };
}

function valueOf(word: string, { minimum, names = [] }: Field): bigint {
  const place = names.indexOf(word.toLowerCase());
  return place < 0 ? integer(word) : BigInt(minimum + place);
}

const maxInt64 = 2n ** 63n - 1n;

function integer(word: string): bigint {
  const failed = `failed to parse int from ${word}: strconv.Atoi: parsing ${JSON.stringify(word)}: `;
  if (!/^[+-]?\d+$/.test(word)) throw new FieldError(`${failed}invalid syntax`);
  const value = BigInt(word.replace(/^\+/, ''));
  if (value > maxInt64 || value < -maxInt64 - 1n) throw new FieldError(`${failed}value out of range`);
  if (value < 0n) throw new FieldError(`negative number (${value}) not allowed: ${word}`);
  return value;
}
