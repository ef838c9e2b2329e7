// SPDX-License-Identifier: Apache-2.0

/** Decodes a stream of JSON values, one a line, however the bytes are cut; an unfinished last line is dropped. */
export async function* jsonLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') yield JSON.parse(line);
  }
}
