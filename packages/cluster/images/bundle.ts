// SPDX-License-Identifier: Apache-2.0
import { rolldown, type RolldownOutput } from 'rolldown';

/** Bundles a program and its imports into one folder of JavaScript; the entry keeps its name, as `.mjs`. */
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
