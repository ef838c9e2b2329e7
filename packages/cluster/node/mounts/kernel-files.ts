// SPDX-License-Identifier: Apache-2.0
import { existsSync } from 'node:fs';

/**
 * Files in /proc that belong to the machine, not to a process: as container engines do, some are hidden, the others
 * read-only. They are writable for the owner of the node when that is root, whatever namespaces it is in.
 */
const hidden = ['acpi', 'asound', 'kcore', 'keys', 'latency_stats', 'scsi', 'sched_debug', 'timer_list', 'timer_stats'];
const readOnly = ['bus', 'driver', 'fs', 'irq', 'mtrr', 'sys', 'sysrq-trigger'];
const folders = new Set(['acpi', 'asound', 'scsi']);

/** What bubblewrap is told to cover them in a /proc it has just mounted. */
export function coverKernelFiles(exists: (path: string) => boolean = existsSync): string[] {
  const there = (name: string) => exists(`/proc/${name}`);
  return [
    ...readOnly.filter(there).map((name) => ['--ro-bind', `/proc/${name}`, `/proc/${name}`]),
    ...hidden
      .filter(there)
      .map((name) =>
        folders.has(name)
          ? ['--tmpfs', `/proc/${name}`, '--remount-ro', `/proc/${name}`]
          : ['--ro-bind', '/dev/null', `/proc/${name}`],
      ),
  ].flat();
}
