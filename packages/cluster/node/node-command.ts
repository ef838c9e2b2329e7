// SPDX-License-Identifier: Apache-2.0

/** Process 1 must reap orphans, including those of containers; Node does not reap them, but a waiting shell does. */
const reapOrphans = ['sh', '-c', '"$@"; exit $?', 'forge-node'];

/**
 * The command that runs `program` in its own namespaces, without any privilege.
 *
 * Guarantees: when the caller exits, even by `kill -9`, setpriv exits, and with it its child (`--kill-child`). That is
 * process 1 of the pid namespace, so that every process in the namespace exits; the kernel then removes the interfaces
 * and mounts. The same happens when `program` exits.
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
