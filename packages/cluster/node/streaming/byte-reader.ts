// SPDX-License-Identifier: Apache-2.0

/** Reads this many bytes; undefined when the stream ends before. */
export type ReadBytes = (count: number) => Promise<Buffer | undefined>;

/** Reads exact numbers of bytes from a stream, however it is chunked. */
export function byteReader(source: AsyncIterable<Uint8Array>): ReadBytes {
  const chunks = source[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  return async (count) => {
    const parts: Uint8Array[] = [rest];
    for (let size = rest.length; size < count;) {
      const next = await chunks.next();
      if (next.done === true) return undefined;
      parts.push(next.value);
      size += next.value.length;
    }
    const all = parts.length === 1 ? rest : Buffer.concat(parts);
    rest = all.subarray(count);
    return all.subarray(0, count);
  };
}
