// SPDX-License-Identifier: Apache-2.0
import { readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Pod } from '@forge/kube/kinds/builtin.ts';
import { logsFolder } from './logs-folder.ts';

/** Removes log folders of pods that were deleted while the node was not running; keeps other files. */
export async function removeOrphanedLogs(logsDir: string, pods: () => readonly Pod[]): Promise<void> {
  const entries = await readdir(logsDir, { withFileTypes: true }).catch(() => []);
  // Listed after the folders: the folder of a new pod is created after the pod is known.
  const known = new Set(pods().map((pod) => basename(logsFolder(logsDir, pod))));
  const orphans = entries.filter((each) => each.isDirectory() && isLogsFolder(each.name) && !known.has(each.name));
  await Promise.all(orphans.map(({ name }) => rm(join(logsDir, name), { recursive: true, force: true })));
}

/** Whether it is a name of {@link logsFolder}: namespace, name and uid of a pod. */
function isLogsFolder(name: string): boolean {
  return /^[a-z0-9-]+_[a-z0-9.-]+_[0-9a-f-]{36}$/.test(name);
}
