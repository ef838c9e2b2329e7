// SPDX-License-Identifier: Apache-2.0
import { define, defineMember, type Overload, traverse } from '../overload.ts';
import { bool, double, int, opaque, string } from '../type.ts';
import { EvalError, Opaque, type Result } from '../value.ts';

const type = opaque('kubernetes.Quantity');

/** Quantities are exact to the billionth. */
const scale = 1_000_000_000n;

class Quantity extends Opaque {
  readonly type = type;
  /** In billionths. */
  readonly amount: bigint;
  constructor(amount: bigint) {
    super();
    this.amount = amount;
  }
  equals(other: Opaque): boolean {
    return other instanceof Quantity && other.amount === this.amount;
  }
}

const suffixes: Readonly<Record<string, readonly [bigint, bigint]>> = {
  n: [1n, 1_000_000_000n],
  u: [1n, 1_000_000n],
  m: [1n, 1000n],
  '': [1n, 1n],
  k: [10n ** 3n, 1n],
  M: [10n ** 6n, 1n],
  G: [10n ** 9n, 1n],
  T: [10n ** 12n, 1n],
  P: [10n ** 15n, 1n],
  E: [10n ** 18n, 1n],
  Ki: [2n ** 10n, 1n],
  Mi: [2n ** 20n, 1n],
  Gi: [2n ** 30n, 1n],
  Ti: [2n ** 40n, 1n],
  Pi: [2n ** 50n, 1n],
  Ei: [2n ** 60n, 1n],
};

function parse(text: string): Quantity | undefined {
  const [, sign, whole = '', fraction = '', suffix = ''] =
    /^([+-]?)(\d*)(?:\.(\d*))?([a-zA-Z]{0,2}|[eE][+-]?\d{1,9})$/.exec(text) ?? [];
  if (sign === undefined || whole + fraction === '' || text.length > 1000) return undefined;
  const exponent = /^[eE]([+-]?\d+)$/.exec(suffix)?.[1];
  const power = Number(exponent ?? 0);
  const factor =
    exponent === undefined
      ? suffixes[suffix]
      : ([
          10n ** BigInt(Math.min(Math.max(power, 0), 100)),
          10n ** BigInt(Math.min(Math.max(-power, 0), 100)),
        ] as const);
  if (factor === undefined) return undefined;
  const [times, over] = factor;
  const top = BigInt(whole + fraction) * times * scale;
  const bottom = over * 10n ** BigInt(fraction.length);
  // What is finer than a billionth is rounded up, away from zero.
  const amount = (top + bottom - 1n) / bottom;
  return new Quantity(sign === '-' ? -amount : amount);
}

function toQuantity(text: string): Result {
  const failed = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
  return parse(text) ?? new EvalError(failed);
}

function wholeOf({ amount }: Quantity): bigint | undefined {
  const whole = amount / scale;
  return amount % scale === 0n && BigInt.asIntN(64, whole) === whole ? whole : undefined;
}

function order(left: Quantity, right: Quantity): number {
  return left.amount < right.amount ? -1 : Number(left.amount > right.amount);
}

const reading = { cost: traverse };

/** Amounts of resources: `1.5Gi`, `100m`. */
export const quantities: readonly Overload[] = [
  define('quantity', [string], type, toQuantity, reading),
  define('isQuantity', [string], bool, (text: string) => parse(text) !== undefined, reading),
  define('sign', [type], int, ({ amount }: Quantity) => (amount < 0n ? -1n : amount > 0n ? 1n : 0n)),
  defineMember('isGreaterThan', [type, type], bool, (left: Quantity, right: Quantity) => order(left, right) > 0),
  defineMember('isLessThan', [type, type], bool, (left: Quantity, right: Quantity) => order(left, right) < 0),
  defineMember('compareTo', [type, type], int, (left: Quantity, right: Quantity) => BigInt(order(left, right))),
  defineMember('asApproximateFloat', [type], double, ({ amount }: Quantity) => Number(amount) / Number(scale)),
  defineMember(
    'asInteger',
    [type],
    int,
    (quantity: Quantity) => wholeOf(quantity) ?? new EvalError('cannot convert value to integer'),
  ),
  defineMember('isInteger', [type], bool, (quantity: Quantity) => wholeOf(quantity) !== undefined),
  ...(
    [
      ['add', 1n],
      ['sub', -1n],
    ] as const
  ).flatMap(([name, sign]) => [
    defineMember(
      name,
      [type, type],
      type,
      (left: Quantity, right: Quantity) => new Quantity(left.amount + sign * right.amount),
    ),
    defineMember(
      name,
      [type, int],
      type,
      (left: Quantity, right: bigint) => new Quantity(left.amount + sign * right * scale),
    ),
  ]),
];
