// SPDX-License-Identifier: Apache-2.0
import { join } from 'node:path';

/** The command that runs a program of an image root on the host, with the root's own loader and libraries. */
export function hostCommand(root: string, program: string): string[] {
  const libraries = join(root, 'lib/x86_64-linux-gnu');
  // Not /lib64/…, which is an absolute link and would resolve on the host.
  const loader = join(libraries, 'ld-linux-x86-64.so.2');
  return [loader, '--library-path', libraries, '--argv0', program, join(root, program)];
}
