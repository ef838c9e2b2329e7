// SPDX-License-Identifier: Apache-2.0

/** Process 1 has to bury orphans, also those of containers, which Node does not do and any shell that waits does. */
const reapOrphans = ['sh', '-c', '"$@"; exit $?', 'forge-node'];

/**
 * The command that runs `program` in namespaces of its own, without any privilege.
 *
 * Guarantees: when the caller dies, even by `kill -9`, so does setpriv's process, with it its child (`--kill-child`),
 * which is process 1 of the pid namespace, and so every process in there; with the last of them go the interfaces and
 * mounts. The same happens when `program` ends.
 */
export function nodeCommand(program: readonly string[]): string[] {
  return [
    'setpriv',
    '--pdeathsig',
    'KILL',
    '--',
    'unshare',
    '--user',
    '--map-root-user',
    '--net',
    '--mount',
    '--propagation',
    'private',
    '--pid',
    '--fork',
    '--kill-child',
    '--mount-proc',
    '--',
    ...reapOrphans,
    ...program,
  ];
}
