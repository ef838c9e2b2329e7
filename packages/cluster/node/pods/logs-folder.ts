// SPDX-License-Identifier: Apache-2.0
import type { Pod } from '@forge/kube/kinds/builtin.ts';
import { folderIn } from '../mounts/folder-in.ts';

/** The folder of a pod's logs: one folder per container. */
export function logsFolder(logsDir: string, { metadata }: Pick<Pod, 'metadata'>): string {
  return folderIn(logsDir, `${metadata.namespace}_${metadata.name}_${metadata.uid}`);
}
