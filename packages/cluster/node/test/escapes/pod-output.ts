// SPDX-License-Identifier: Apache-2.0
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pod } from '@forge/kube/kinds/builtin.ts';

/** The logs, termination messages and waiting reasons of a pod's containers. */
export async function outputOf(pod: Pod, logsDir: string): Promise<string> {
  const { metadata, status } = pod;
  const { initContainerStatuses = [], containerStatuses = [], ephemeralContainerStatuses = [] } = status ?? {};
  const states = [...initContainerStatuses, ...containerStatuses, ...ephemeralContainerStatuses];
  const messages = states.map(({ state }) => state?.waiting?.message ?? state?.terminated?.message ?? '');
  const logs = join(logsDir, `${metadata.namespace}_${metadata.name}_${metadata.uid}`);
  const entries = await readdir(logs, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile());
  const texts = await Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'utf8')));
  return [...messages, ...texts].join('\n').replaceAll(/^\S+ std(?:out|err) [FP] /gm, '');
}

/** Whether no container of a pod is running or about to start. */
export function isSettled({ status }: Pod): boolean {
  return (status?.containerStatuses ?? []).every(({ state }) => state?.terminated ?? state?.waiting?.message);
}
