// SPDX-License-Identifier: Apache-2.0

/** An address as a number, of 32 or 128 bits. */
export interface IpAddress {
  readonly bits: 32 | 128;
  readonly value: bigint;
}

/** Parses an IP address; undefined when it is invalid or has a zone. */
export function parseIp(text: string): IpAddress | undefined {
  return text.includes(':') ? parseV6(text) : parseV4(text);
}

function parseV4(text: string): IpAddress | undefined {
  const parts = text.split('.');
  const valid = parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256);
  if (!valid) return undefined;
  return { bits: 32, value: parts.reduce((value, part) => value * 256n + BigInt(part), 0n) };
}

function parseV6(text: string): IpAddress | undefined {
  const tail = text.slice(text.lastIndexOf(':') + 1);
  const four = tail.includes('.') ? parseV4(tail) : undefined;
  if (tail.includes('.') && four === undefined) return undefined;
  const plain =
    four === undefined
      ? text
      : `${text.slice(0, -tail.length)}${(four.value >> 16n).toString(16)}:${(four.value & 0xff_ffn).toString(16)}`;
  const halves = plain.split('::');
  if (halves.length > 2) return undefined;
  const [head = [], rest = []] = halves.map((half) => (half === '' ? [] : half.split(':')));
  const gap = 8 - head.length - rest.length;
  if (halves.length === 2 ? gap < 1 : gap !== 0) return undefined;
  const groups = [...head, ...Array.from({ length: halves.length === 2 ? gap : 0 }, () => '0'), ...rest];
  if (!groups.every((group) => /^[0-9a-fA-F]{1,4}$/.test(group))) return undefined;
  return { bits: 128, value: groups.reduce((value, group) => (value << 16n) | BigInt(`0x${group}`), 0n) };
}

/** Whether it is an IPv4-mapped IPv6 address. */
export function isIpv4Mapped({ bits, value }: IpAddress): boolean {
  return bits === 128 && value >> 32n === 0xff_ffn;
}

/** Formats an address canonically: the longest run of zeros is compressed. */
export function formatIp({ bits, value }: IpAddress): string {
  const count = bits === 32 ? 4 : 8;
  const width = BigInt(bits / count);
  const groups = Array.from(
    { length: count },
    (_, index) => (value >> (width * BigInt(count - 1 - index))) & ((1n << width) - 1n),
  );
  if (bits === 32) return groups.join('.');
  const text = groups.map((group) => group.toString(16)).join(':');
  const runs = text.match(/(?:^|(?<=:))0(?::0)+(?=:|$)/g) ?? [];
  const longest = runs.toSorted((a, b) => b.length - a.length)[0];
  if (longest === undefined) return text;
  const at = [...text.matchAll(/(?:^|(?<=:))0(?::0)+(?=:|$)/g)].find(([run]) => run === longest)?.index ?? 0;
  const [before, after] = [text.slice(0, at).replace(/:$/, ''), text.slice(at + longest.length).replace(/^:/, '')];
  return `${before}::${after}`;
}
