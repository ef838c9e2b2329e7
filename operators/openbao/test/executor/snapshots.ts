// SPDX-License-Identifier: Apache-2.0
import { gzipSync } from 'node:zlib';

const block = 512;

/** A file of an archive; of many gigabytes the size is written in binary, or in a header of its own. */
export interface ArchivedFile {
  readonly name: string;
  readonly content: Uint8Array;
  readonly size?: 'octal' | 'binary' | 'extended';
}

/** The files of a whole snapshot. */
export const snapshotFiles: readonly ArchivedFile[] = [
  { name: 'meta.json', content: Buffer.from('{}') },
  { name: 'state.bin', content: Buffer.alloc(30_000, 7) },
  { name: 'SHA256SUMS', content: Buffer.from('0000  meta.json\n') },
  { name: 'SHA256SUMS.sealed', content: Buffer.from('sealed') },
];

/** Packs files as a server does. */
export function packed(files: readonly ArchivedFile[]): Buffer {
  return gzipSync(Buffer.concat([...files.flatMap(entry), Buffer.alloc(2 * block)]), { level: 0 });
}

function entry({ name, content, size = 'octal' }: ArchivedFile): Buffer[] {
  const body = [Buffer.from(content), Buffer.alloc((block - (content.length % block)) % block)];
  if (size === 'octal') return [header(name, '0', octal(content.length)), ...body];
  if (size === 'extended') {
    const records = Buffer.from(`30 mtime=1700000000.123456789\n${recordOf(`size=${content.length}`)}`);
    const extension = { name: `PaxHeaders.0/${name}`, content: records };
    const [first = Buffer.alloc(0), ...rest] = entry(extension);
    first.write('x', 156);
    return [first, ...rest, header(name, '0', octal(0)), ...body];
  }
  const binary = Buffer.alloc(12);
  binary.writeUInt8(0x80, 0);
  binary.writeUInt32BE(content.length, 8);
  return [header(name, '0', binary), ...body];
}

/** A record of an extending header: it begins with its own length. */
function recordOf(text: string): string {
  const length = String(text.length + 2).length + text.length + 2;
  return `${length} ${text}\n`;
}

const octal = (value: number) => Buffer.from(`${value.toString(8).padStart(11, '0')}\0`);

function header(name: string, type: string, size: Buffer): Buffer {
  const made = Buffer.alloc(block);
  made.write(name, 0);
  size.copy(made, 124);
  made.write(type, 156);
  made.write('ustar\u000000', 257);
  return made;
}
