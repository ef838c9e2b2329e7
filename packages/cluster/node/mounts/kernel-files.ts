// SPDX-License-Identifier: Apache-2.0
import { existsSync } from 'node:fs';

/**
 * Machine-wide files in /proc: as in container engines, some are hidden and others read-only. If the node runs as root,
 * they would be writable in any namespace.
 */
const hidden = ['acpi', 'asound', 'kcore', 'keys', 'latency_stats', 'scsi', 'sched_debug', 'timer_list', 'timer_stats'];
const readOnly = ['bus', 'driver', 'fs', 'irq', 'mtrr', 'sys', 'sysrq-trigger'];
const folders = new Set(['acpi', 'asound', 'scsi']);

/** The bubblewrap arguments that cover them in a newly mounted /proc. */
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
