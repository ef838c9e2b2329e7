// SPDX-License-Identifier: Apache-2.0
import { isQuantity, nanosOf } from '@forge/kube/objects/quantity.ts';
import { bool, double, int, opaque, string } from '../values/type.ts';
import { EvalError, Opaque, type Result } from '../values/value.ts';
import { define, defineMember, type Overload, traverse } from './overload.ts';

const type = opaque('kubernetes.Quantity');

/** Quantities have a precision of one billionth. */
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

function toQuantity(text: string): Result {
  const amount = nanosOf(text);
  const failed = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
  return amount === undefined ? new EvalError(failed) : new Quantity(amount);
}

function wholeOf({ amount }: Quantity): bigint | undefined {
  const whole = amount / scale;
  return amount % scale === 0n && BigInt.asIntN(64, whole) === whole ? whole : undefined;
}

function order(left: Quantity, right: Quantity): number {
  return left.amount < right.amount ? -1 : Number(left.amount > right.amount);
}

const reading = { cost: traverse };

/** Kubernetes' quantity library: `1.5Gi`, `100m`. */
export const quantities: readonly Overload[] = [
  define('quantity', [string], type, toQuantity, reading),
  define('isQuantity', [string], bool, isQuantity, reading),
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
