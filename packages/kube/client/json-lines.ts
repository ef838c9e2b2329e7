// SPDX-License-Identifier: Apache-2.0

const lineEnd = 0x0a;

/** Decodes newline-delimited JSON, however the bytes are chunked; an incomplete last line is dropped. */
export async function* jsonLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator {
  let pieces: Uint8Array[] = [];
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(lineEnd) + 1;
    pieces.push(chunk.subarray(0, end));
    if (end > 0) {
      // Does not split characters: no byte of a multi-byte character is a line feed.
      const lines = Buffer.concat(pieces).toString().split('\n');
      pieces = [];
      for (const line of lines) if (line !== '') yield parsed(line);
    }
    pieces.push(chunk.subarray(end));
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw new Error('the server sent a line that is not JSON', { cause: error });
  }
}
