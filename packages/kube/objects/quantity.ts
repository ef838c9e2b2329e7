// SPDX-License-Identifier: Apache-2.0

/** Suffixes of powers of 1000, from billionths up; the empty one is the unit. */
const decimal = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
/** Suffixes of powers of 1024, from the unit up. */
const binary = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

/** Billionths of one, the finest unit. */
const nano = 10n ** 9n;

/** The value of each suffix in billionths. */
const factors: ReadonlyMap<string, bigint> = new Map([
  ...decimal.map((suffix, power) => [suffix, 1000n ** BigInt(power)] as const),
  ...binary.map((suffix, power) => [suffix, nano * 1024n ** BigInt(power)] as const),
]);

/** A size in powers of 1024 is a 64-bit number. */
const maxInt64 = 2n ** 63n - 1n;

/** The most digits that are parsed, before or after the point or as exponent. */
const maxDigits = 120;

/** Common quantities that are canonical as written. */
const common = /^(?:0|[1-9]\d{0,2}(?:[numkMGTPE]|[KMGTPE]i)?)$/;

const parts = /^([+-]?)(?:(\d+)(?:\.(\d*))?|\.(\d+))(?:([KMGTPE]i|[numkMGTPE])|[eE]([+-]?\d+))?$/;

/**
 * The quantity as the server stores it: no fraction, the largest suffix that is exact, in the family of suffixes of the
 * original (`0.5` is `500m`, `1024Mi` is `1Gi`, `1e3` stays). Undefined when the text is not a quantity.
 */
export function canonicalQuantity(text: string): string | undefined {
  if (common.test(text)) return text;
  const quantity = parse(text);
  if (quantity === undefined || quantity.isExtreme) return undefined;
  const { isNegative, nanos, family } = quantity;
  const isSize = family === 'binary' && nanos >= 1024n * nano && nanos % nano === 0n;
  const size = isSize ? inBinary(nanos / nano) : inDecimal(nanos, family === 'exponent');
  return isNegative && nanos !== 0n ? `-${size}` : size;
}

/** Whether the text is a quantity, however large. */
export function isQuantity(text: string): boolean {
  return parts.test(text);
}

/** The quantity in billionths, for calculations. Undefined when the text is not a quantity. */
export function nanosOf(text: string): bigint | undefined {
  if (common.test(text)) {
    const digits = String(Number.parseInt(text, 10));
    return BigInt(digits) * (factors.get(text.slice(digits.length)) ?? nano);
  }
  const quantity = parse(text);
  if (quantity === undefined) return undefined;
  return quantity.isNegative ? -quantity.nanos : quantity.nanos;
}

interface Quantity {
  isNegative: boolean;
  /** The absolute value. */
  nanos: bigint;
  family: 'decimal' | 'binary' | 'exponent';
  /** Whether digits were cut off: the value can be compared, but not stored. */
  isExtreme: boolean;
}

function parse(text: string): Quantity | undefined {
  const [matched, sign, whole = '0', fraction = '', bare = fraction, suffix = '', exponent] = parts.exec(text) ?? [];
  if (matched === undefined) return undefined;
  const power = Number(exponent ?? 0);
  const isExtreme = Math.max(Math.abs(power), whole.length, bare.length) > maxDigits;
  const scale = Math.min(Math.max(power, -maxDigits), maxDigits);
  const digits = BigInt(whole.slice(0, maxDigits) + bare.slice(0, maxDigits));
  const nanos = scaled(digits * (factors.get(suffix) ?? nano), scale - Math.min(bare.length, maxDigits));
  const family = exponent !== undefined ? 'exponent' : suffix.endsWith('i') ? 'binary' : 'decimal';
  return { isNegative: sign === '-', nanos, family, isExtreme };
}

/** The value times a power of ten, rounded up where it is not whole. */
function scaled(value: bigint, power: number): bigint {
  if (power >= 0) return value * 10n ** BigInt(power);
  const divisor = 10n ** BigInt(-power);
  return (value + divisor - 1n) / divisor;
}

function inDecimal(nanos: bigint, asExponent: boolean): string {
  if (nanos === 0n) return '0';
  const last = asExponent ? Infinity : decimal.length - 1;
  let value = nanos;
  let step = 0;
  for (; value % 1000n === 0n && step < last; step += 1) value /= 1000n;
  const power = (step - 3) * 3;
  if (asExponent) return power === 0 ? String(value) : `${value}e${power}`;
  return `${value}${decimal[step]}`;
}

function inBinary(whole: bigint): string {
  if (whole > maxInt64) return String(maxInt64);
  let value = whole;
  let step = 0;
  for (; value % 1024n === 0n && step < binary.length - 1; step += 1) value /= 1024n;
  return `${value}${binary[step]}`;
}
