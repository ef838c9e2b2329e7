// SPDX-License-Identifier: Apache-2.0

const block = 512;
/** More than the records of a header that extends another one need. */
const maxRecords = 64 * 1024;

/** A file of an archive. */
interface TarFile {
  readonly name: string;
  readonly size: number;
}

/** Reads a tar as it comes and keeps nothing of it: `take` gets the next bytes, and calls back with each file that is complete. */
export function tarReader(onFile: (file: TarFile) => void): { take(bytes: Buffer): void } {
  let header = Buffer.alloc(0);
  let file: (TarFile & { readonly type: string }) | undefined;
  let left = 0;
  let padding = 0;
  let records: Buffer[] = [];
  let extendedSize: number | undefined;

  function begin(bytes: Buffer): void {
    // The end of an archive is made of empty blocks.
    if (bytes.every((byte) => byte === 0)) return;
    const type = String.fromCharCode(bytes[156] ?? 0);
    const name = bytes.toString('utf8', 0, 100).replace(/\0.*$/s, '');
    const size = type === 'x' ? sizeIn(bytes) : (extendedSize ?? sizeIn(bytes));
    if (type === 'x' && size > maxRecords) throw new Error(`the header of ${name} has ${size} bytes`);
    file = { name, size, type };
    left = size;
    padding = (block - (size % block)) % block;
    if (left === 0) end();
  }

  function end(): void {
    if (file === undefined) return;
    if (file.type === 'x') {
      const [, size] = /(?:^|\n)\d+ size=(\d+)\n/.exec(Buffer.concat(records).toString()) ?? [];
      extendedSize = size === undefined ? undefined : Number(size);
      records = [];
    } else {
      extendedSize = undefined;
      if (file.type === '0' || file.type === '\0') onFile({ name: file.name, size: file.size });
    }
    file = undefined;
  }

  return {
    take(bytes) {
      for (let at = 0; at < bytes.length;) {
        const taken = Math.min(bytes.length - at, left > 0 ? left : padding > 0 ? padding : block - header.length);
        const part = bytes.subarray(at, at + taken);
        at += taken;
        if (left > 0) {
          if (file?.type === 'x') records.push(Buffer.from(part));
          left -= taken;
          if (left === 0) end();
        } else if (padding > 0) padding -= taken;
        else {
          header = Buffer.concat([header, part]);
          if (header.length < block) continue;
          begin(header);
          header = Buffer.alloc(0);
        }
      }
    },
  };
}

/** The size in a header: octal digits, or a binary number where they do not suffice. */
function sizeIn(header: Buffer): number {
  const field = header.subarray(124, 136);
  if (((field[0] ?? 0) & 0x80) !== 0) return Number(BigInt(`0x${field.toString('hex')}`) & ((1n << 95n) - 1n));
  return Number.parseInt(field.toString('latin1').replaceAll(/[\0 ]/g, ''), 8) || 0;
}
