// SPDX-License-Identifier: Apache-2.0

/** DER, the encoding of certificates: a tag, a length, a content. */
export function element(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content]);
}

export const sequence = (...items: readonly Uint8Array[]): Buffer => element(0x30, ...items);
export const set = (...items: readonly Uint8Array[]): Buffer => element(0x31, ...items);
export const octets = (content: Uint8Array): Buffer => element(0x04, content);
export const text = (value: string): Buffer => element(0x0c, Buffer.from(value));
export const yes = element(0x01, Buffer.from([0xff]));

/** A positive number of any size, its most significant byte first. */
export function integer(bytes: Uint8Array): Buffer {
  const needsSign = ((bytes[0] ?? 0) & 0x80) !== 0;
  return element(0x02, Buffer.from(needsSign ? [0, ...bytes] : bytes));
}

/** Bits, of which the last `unused` do not count. */
export function bits(content: Uint8Array, unused = 0): Buffer {
  return element(0x03, Buffer.from([unused]), content);
}

/** An object identifier: `2.5.29.17`. */
export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return element(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

/** A time in seconds: UTCTime up to 2049, as certificates require. */
export function moment(milliseconds: number): Buffer {
  const digits = new Date(milliseconds).toISOString().replaceAll(/\..*|\D/g, '');
  return Number(digits.slice(0, 4)) < 2050
    ? element(0x17, Buffer.from(`${digits.slice(2)}Z`))
    : element(0x18, Buffer.from(`${digits}Z`));
}

/** The elements inside an element, each with its tag and length; throws a SyntaxError when they do not fit. */
export function childrenOf(whole: Uint8Array): Uint8Array[] {
  const { begin, end } = contentOf(whole, 0);
  const children: Uint8Array[] = [];
  for (let at = begin; at < end;) {
    const child = contentOf(whole, at);
    if (child.end > end) throw truncated();
    children.push(whole.subarray(at, child.end));
    at = child.end;
  }
  return children;
}

/** What is inside an element, without its tag and length. */
export function contentIn(whole: Uint8Array): Uint8Array {
  const { begin, end } = contentOf(whole, 0);
  return whole.subarray(begin, end);
}

function contentOf(bytes: Uint8Array, at: number): { begin: number; end: number } {
  const first = bytes[at + 1];
  if (first === undefined) throw truncated();
  const wide = first < 0x80 ? 0 : first & 0x7f;
  const begin = at + 2 + wide;
  if (wide > 4 || begin > bytes.length) throw truncated();
  const length = wide === 0 ? first : Buffer.from(bytes.subarray(at + 2, begin)).readUIntBE(0, wide);
  if (begin + length > bytes.length) throw truncated();
  return { begin, end: begin + length };
}

/** Worded as Go does. */
function truncated(): SyntaxError {
  return new SyntaxError('asn1: syntax error: data truncated');
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const bytes = Buffer.from(length.toString(16).padStart(length > 0xff ? 4 : 2, '0'), 'hex');
  return Buffer.concat([Buffer.from([0x80 | bytes.length]), bytes]);
}

function base128(number: number): number[] {
  const digits = [number & 0x7f];
  for (let rest = number >>> 7; rest > 0; rest >>>= 7) digits.unshift((rest & 0x7f) | 0x80);
  return digits;
}
