// SPDX-License-Identifier: Apache-2.0
import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { ReplicatedState } from './state.ts';

const block = 512;
/** An empty server's snapshot has 37 kB. */
const emptySize = 36_000;

/** A snapshot: an uncompressed gzip of a tar with the state and its checksums. */
export function snapshotOf(state: ReplicatedState): Buffer {
  const content = Buffer.from(JSON.stringify(state).padEnd(emptySize));
  const meta = Buffer.from(JSON.stringify({ Version: 1, ID: 'bolt-snapshot', Index: state.index, Term: state.term }));
  const sums = Buffer.from(`${sha256(meta)}  meta.json\n${sha256(content)}  state.bin\n`);
  const sealed = Buffer.from(createHash('sha256').update('sealed').update(sums).digest('base64'));
  const entries = [
    ['meta.json', meta],
    ['state.bin', content],
    ['SHA256SUMS', sums],
    ['SHA256SUMS.sealed', sealed],
  ] as const;
  const tar = Buffer.concat([...entries.flatMap(([name, data]) => entry(name, data)), Buffer.alloc(2 * block)]);
  return gzipSync(tar, { level: 0 });
}

/** The state in a snapshot; or why it is none, in the server's words. */
export function stateIn(snapshot: Uint8Array): ReplicatedState | { error: string } {
  if (snapshot.length < 10) return { error: 'failed to decompress snapshot: unexpected EOF' };
  if (snapshot[0] !== 0x1f || snapshot[1] !== 0x8b) {
    return { error: 'failed to decompress snapshot: gzip: invalid header' };
  }
  try {
    const tar = gunzipSync(snapshot);
    const text = contentOf(tar, 'state.bin').toString();
    return JSON.parse(text) as ReplicatedState;
  } catch {
    return { error: 'failed to read snapshot file: failed to read or write snapshot data: unexpected EOF' };
  }
}

const sha256 = (data: Uint8Array) => createHash('sha256').update(data).digest('hex');

const octal = (value: number, length: number) => `${value.toString(8).padStart(length - 1, '0')}\0`;

/** A file in a tar: its header and its padded content. */
function entry(name: string, data: Buffer): Buffer[] {
  const header = Buffer.alloc(block);
  header.write(name, 0);
  header.write(octal(0o600, 8) + octal(0, 8) + octal(0, 8) + octal(data.length, 12) + octal(0, 12), 100);
  header.write('        0', 148);
  header.write('ustar\u000000', 257);
  header.write(
    `${header
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, '0')}\0 `,
    148,
  );
  return [header, data, Buffer.alloc((block - (data.length % block)) % block)];
}

function contentOf(tar: Buffer, wanted: string): Buffer {
  for (let at = 0; at + block <= tar.length;) {
    const name = tar.toString('latin1', at, at + 100).replace(/\0.*$/s, '');
    const size = Number.parseInt(tar.toString('latin1', at + 124, at + 135), 8) || 0;
    if (name === wanted) return tar.subarray(at + block, at + block + size);
    at += block + Math.ceil(size / block) * block;
  }
  throw new Error(`no ${wanted}`);
}
