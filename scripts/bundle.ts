// SPDX-License-Identifier: Apache-2.0
import { rolldown, type RolldownOutput } from 'rolldown';

/** Makes one folder of JavaScript of a program and all it imports, as it ships; the program keeps its name, as `.mjs`. */
export async function bundle(program: string, dir: string): Promise<RolldownOutput> {
  const graph = await rolldown({ input: program, platform: 'node' });
  try {
    return await graph.write({
      dir,
      format: 'esm',
      minify: true,
      entryFileNames: '[name].mjs',
      chunkFileNames: '[name]-[hash].mjs',
    });
  } finally {
    await graph.close();
  }
}
