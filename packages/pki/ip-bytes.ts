// SPDX-License-Identifier: Apache-2.0
import { isIP, SocketAddress } from 'node:net';

/** The bytes of an IP address, four or sixteen. */
export function ipBytes(address: string): Buffer {
  // `isIP` accepts an address with a zone, too.
  switch (address.includes('%') ? 0 : isIP(address)) {
    case 4:
      return Buffer.from(address.split('.').map(Number));
    case 6:
      return sixteenBytes(address);
    default:
      throw new Error(`"${address}" is not an IP address`);
  }
}

/** The address of four or sixteen bytes, in its shortest form. */
export function ipText(bytes: Uint8Array): string {
  if (bytes.length === 4) return bytes.join('.');
  if (bytes.length !== 16) throw new SyntaxError(`${bytes.length} bytes are not an IP address`);
  const groups = Buffer.from(bytes).toString('hex').match(/.{4}/g) ?? [];
  return new SocketAddress({ address: groups.join(':'), family: 'ipv6' }).address;
}

function sixteenBytes(address: string): Buffer {
  const [head = '', tail] = withoutDots(address).split('::');
  const before = groupsOf(head);
  const after = tail === undefined ? [] : groupsOf(tail);
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return Buffer.from([...before, ...zeros, ...after].map((group) => group.padStart(4, '0')).join(''), 'hex');
}

/** An IPv6 address with a dotted IPv4 suffix, as hexadecimal. */
function withoutDots(address: string): string {
  const [dotted] = /\d+\.\d+\.\d+\.\d+$/.exec(address) ?? [];
  if (dotted === undefined) return address;
  const hex = ipBytes(dotted).toString('hex');
  return `${address.slice(0, -dotted.length)}${hex.slice(0, 4)}:${hex.slice(4)}`;
}

function groupsOf(text: string): string[] {
  return text === '' ? [] : text.split(':');
}
