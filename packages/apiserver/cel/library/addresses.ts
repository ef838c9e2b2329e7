// SPDX-License-Identifier: Apache-2.0
import { formatIp, type IpAddress, isIpv4Mapped, parseIp } from '../../formats/ip-text.ts';
import { bool, int, opaque, string } from '../values/type.ts';
import { EvalError, Opaque, type Result } from '../values/value.ts';
import { define, defineMember, type Overload, traverse } from './overload.ts';

const ip = opaque('net.IP');
const cidr = opaque('net.CIDR');

class Ip extends Opaque {
  readonly type = ip;
  override readonly size: number;
  readonly address: IpAddress;
  constructor(address: IpAddress) {
    super();
    this.address = address;
    this.size = address.bits / 8;
  }
  equals(other: Opaque): boolean {
    return other instanceof Ip && sameAddress(this.address, other.address);
  }
}

class Cidr extends Opaque {
  readonly type = cidr;
  override readonly size: number;
  readonly address: IpAddress;
  readonly prefix: number;
  constructor(address: IpAddress, prefix: number) {
    super();
    this.address = address;
    this.prefix = prefix;
    this.size = Math.ceil(prefix / 8);
  }
  equals(other: Opaque): boolean {
    return other instanceof Cidr && sameAddress(this.address, other.address) && this.prefix === other.prefix;
  }
  get masked(): Cidr {
    return new Cidr({ ...this.address, value: networkOf(this.address, this.prefix) }, this.prefix);
  }
  holds(address: IpAddress): boolean {
    const { bits } = this.address;
    return bits === address.bits && networkOf(address, this.prefix) === networkOf(this.address, this.prefix);
  }
}

function sameAddress(a: IpAddress, b: IpAddress): boolean {
  return a.bits === b.bits && a.value === b.value;
}

function networkOf({ bits, value }: IpAddress, prefix: number): bigint {
  const rest = BigInt(bits - prefix);
  return (value >> rest) << rest;
}

function toIp(text: string): Ip | EvalError {
  const address = parseIp(text);
  if (address === undefined) {
    return /%/.test(text) && parseIp(text.replace(/%.*$/, '')) !== undefined
      ? new EvalError(`IP address ${JSON.stringify(text)} with zone value is not allowed`)
      : new EvalError(
          `IP Address ${JSON.stringify(text)} parse error during conversion from string: ParseAddr(${JSON.stringify(text)}): unable to parse IP`,
        );
  }
  return isIpv4Mapped(address)
    ? new EvalError(`IPv4-mapped IPv6 address ${JSON.stringify(text)} is not allowed`)
    : new Ip(address);
}

function toCidr(text: string): Cidr | EvalError {
  const prefix = 'network address parse error during conversion from string: ';
  const [, before = '', length] = /^(.*)\/(0|[1-9]\d{0,2})$/.exec(text) ?? [];
  const address = parseIp(before);
  if (address === undefined || Number(length) > address.bits) {
    const why = text.includes('/') ? 'unable to parse prefix' : "no '/'";
    return new EvalError(`${prefix}${prefix}netip.ParsePrefix(${JSON.stringify(text)}): ${why}`);
  }
  return isIpv4Mapped(address)
    ? new EvalError(`${prefix}IPv4-mapped IPv6 address ${JSON.stringify(text)} is not allowed`)
    : new Cidr(address, Number(length));
}

function within({ address: { bits, value } }: Ip, network: string): boolean {
  const range = toCidr(network);
  return range instanceof Cidr && range.holds({ bits, value });
}

const v4 = (address: Ip): boolean => address.address.bits === 32;
const isLoopback = (address: Ip): boolean => within(address, v4(address) ? '127.0.0.0/8' : '::1/128');
const isUnspecified = ({ address }: Ip): boolean => address.value === 0n;
const isLinkLocal = (address: Ip): boolean => within(address, v4(address) ? '169.254.0.0/16' : 'fe80::/10');
const isMulticast = (address: Ip): boolean => within(address, v4(address) ? '224.0.0.0/4' : 'ff00::/8');
const isLinkLocalMulticast = (address: Ip): boolean =>
  v4(address) ? within(address, '224.0.0.0/24') : ((address.address.value >> 112n) & 0xff_0fn) === 0xff_02n;

function isGlobal(address: Ip): boolean {
  const isBroadcast = v4(address) && address.address.value === 0xff_ff_ff_ffn;
  return ![
    isBroadcast,
    isUnspecified(address),
    isLoopback(address),
    isMulticast(address),
    isLinkLocal(address),
  ].includes(true);
}

function containsIp(range: Cidr, address: Ip): boolean {
  return range.holds(address.address);
}

function containsCidr(range: Cidr, inner: Cidr): boolean {
  return range.prefix <= inner.prefix && range.holds(inner.address);
}

/** Applies a function to a parsed address, or returns the parse error. */
function reading<T extends Opaque>(parse: (text: string) => T | EvalError, run: (range: Cidr, value: T) => boolean) {
  return (range: Cidr, text: string): Result => {
    const value = parse(text);
    return value instanceof EvalError ? value : run(range, value);
  };
}

const parsing = { cost: traverse };
/** Comparing addresses costs both lengths, 4 or 16 bytes each. */
const comparing = { cost: (range: number) => traverse(2 * range), estimate: () => ({ cost: traverse(32) }) };
const comparingText = {
  cost: (range: number, text: number) => traverse(2 * range) + traverse(text),
  estimate: (_: unknown, { size }: { size: { max: number } }) => ({ cost: traverse(32) + traverse(size.max) }),
};
const comparingRange = {
  cost: (range: number) => traverse(2 * range) + traverse(range) + 1,
  estimate: () => ({ cost: traverse(32) + traverse(16) + 1 }),
};
const comparingRangeText = {
  cost: (range: number, text: number) => comparingRange.cost(range) + traverse(text),
  estimate: (_: unknown, { size }: { size: { max: number } }) => ({
    cost: comparingRange.estimate().cost + traverse(size.max),
  }),
};

/** IP addresses and CIDRs. */
export const addresses: readonly Overload[] = [
  define('ip', [string], ip, toIp, parsing),
  define('isIP', [string], bool, (text: string) => toIp(text) instanceof Ip, parsing),
  define(
    'ip.isCanonical',
    [string],
    bool,
    (text: string) => {
      const address = toIp(text);
      return address instanceof EvalError ? address : formatIp(address.address) === text;
    },
    { cost: (size) => Math.ceil(size * 0.2) },
  ),
  define('string', [ip], string, ({ address }: Ip) => formatIp(address)),
  defineMember('family', [ip], int, (address: Ip) => (v4(address) ? 4n : 6n)),
  defineMember('isUnspecified', [ip], bool, isUnspecified),
  defineMember('isLoopback', [ip], bool, isLoopback),
  defineMember('isLinkLocalMulticast', [ip], bool, isLinkLocalMulticast),
  defineMember('isLinkLocalUnicast', [ip], bool, isLinkLocal),
  defineMember('isGlobalUnicast', [ip], bool, isGlobal),
  define('cidr', [string], cidr, toCidr, parsing),
  define('isCIDR', [string], bool, (text: string) => toCidr(text) instanceof Cidr, parsing),
  define('string', [cidr], string, ({ address, prefix }: Cidr) => `${formatIp(address)}/${prefix}`),
  defineMember('ip', [cidr], ip, ({ address }: Cidr) => new Ip(address)),
  defineMember('prefixLength', [cidr], int, ({ prefix }: Cidr) => BigInt(prefix)),
  defineMember('masked', [cidr], cidr, ({ masked }: Cidr) => masked),
  defineMember('containsIP', [cidr, ip], bool, containsIp, comparing),
  defineMember('containsIP', [cidr, string], bool, reading(toIp, containsIp), comparingText),
  defineMember('containsCIDR', [cidr, cidr], bool, containsCidr, comparingRange),
  defineMember('containsCIDR', [cidr, string], bool, reading(toCidr, containsCidr), comparingRangeText),
];
