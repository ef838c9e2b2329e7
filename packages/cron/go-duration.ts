// SPDX-License-Identifier: Apache-2.0

const units: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1_000n],
  ['µs', 1_000n],
  ['μs', 1_000n],
  ['ms', 1_000_000n],
  ['s', 1_000_000_000n],
  ['m', 60_000_000_000n],
  ['h', 3_600_000_000_000n],
]);

const maxCharacters = 1000;

/** Parses a duration as Go writes it (`1h30m`, `-1.5s`, `0`) into nanoseconds; otherwise the reason, in Go's words. */
export function parseGoDuration(text: string): bigint | string {
  const sign = text.charAt(0);
  let at = sign === '-' || sign === '+' ? 1 : 0;
  const length = text.length - at;
  if (length === 1 && text.charAt(at) === '0') return 0n;
  if (length === 0 || length > maxCharacters) return invalid(text);
  let total = 0n;
  while (at < text.length) {
    const point = afterDigits(text, at);
    const hasPoint = text.charAt(point) === '.';
    const number = hasPoint ? afterDigits(text, point + 1) : point;
    const whole = text.slice(at, point);
    const fraction = hasPoint ? text.slice(point + 1, number) : '';
    at = afterUnit(text, number);
    const unit = text.slice(number, at);
    if (whole === '' && fraction === '') return invalid(text);
    if (unit === '') return `time: missing unit in duration ${quote(text)}`;
    const scale = units.get(unit);
    if (scale === undefined) return `time: unknown unit ${quote(unit)} in duration ${quote(text)}`;
    total += BigInt(whole || '0') * scale;
    if (fraction !== '') total += (BigInt(fraction) * scale) / 10n ** BigInt(fraction.length);
  }
  const nanoseconds = sign === '-' ? -total : total;
  return BigInt.asIntN(64, nanoseconds) === nanoseconds ? nanoseconds : invalid(text);
}

const isDigit = (text: string, at: number): boolean => text.charCodeAt(at) >= 48 && text.charCodeAt(at) <= 57;

function afterDigits(text: string, from: number): number {
  let at = from;
  while (isDigit(text, at)) at += 1;
  return at;
}

function afterUnit(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charAt(at) !== '.' && !isDigit(text, at)) at += 1;
  return at;
}

function invalid(text: string): string {
  return `time: invalid duration ${quote(text)}`;
}

/** A text in quotes; what is not printable ASCII as the bytes it consists of. */
function quote(text: string): string {
  const escaped = [...Buffer.from(text)].map((byte) => {
    const character = String.fromCharCode(byte);
    if (byte < 0x20 || byte >= 0x80) return `\\x${byte.toString(16).padStart(2, '0')}`;
    return character === '"' || character === '\\' ? `\\${character}` : character;
  });
  return `"${escaped.join('')}"`;
}

/** Formats nanoseconds as Go does: `1h0m0s`, `1.5s`, `2ms`, `0s`. */
export function formatGoDuration(nanoseconds: bigint): string {
  if (nanoseconds < 0n) return `-${formatGoDuration(-nanoseconds)}`;
  if (nanoseconds === 0n) return '0s';
  const small = (['ns', 'µs', 'ms'] as const).find((unit) => nanoseconds < (units.get(unit) ?? 1n) * 1000n);
  if (small !== undefined) return decimal(nanoseconds, units.get(small) ?? 1n) + small;
  const [hour, minute, second] = [3_600_000_000_000n, 60_000_000_000n, 1_000_000_000n];
  const hours = nanoseconds >= hour ? `${nanoseconds / hour}h` : '';
  const minutes = nanoseconds >= minute ? `${(nanoseconds % hour) / minute}m` : '';
  return `${hours}${minutes}${decimal(nanoseconds % minute, second)}s`;
}

function decimal(value: bigint, unit: bigint): string {
  const digits = String(unit).length - 1;
  const fraction =
    digits === 0
      ? ''
      : String(value % unit)
          .padStart(digits, '0')
          .replace(/0+$/, '');
  return `${value / unit}${fraction === '' ? '' : `.${fraction}`}`;
}
