// SPDX-License-Identifier: Apache-2.0
import { join } from 'node:path';

/** The command that runs a program of an assembled root on the host itself, with the root's own loader and libraries. */
export function hostCommand(root: string, program: string): string[] {
  const libraries = join(root, 'lib/x86_64-linux-gnu');
  // Not /lib64/…, which is a link to an absolute path and so would be the host's.
  const loader = join(libraries, 'ld-linux-x86-64.so.2');
  return [loader, '--library-path', libraries, '--argv0', program, join(root, program)];
}
