// SPDX-License-Identifier: Apache-2.0

/** The supported processors. */
export type Machine = 'x64' | 'arm64';

/** The processor of this machine. */
export function thisMachine(arch: string = process.arch): Machine {
  if (arch === 'x64' || arch === 'arm64') return arch;
  throw new Error(`containers cannot be confined on ${arch}: its system calls are not known`);
}
