// SPDX-License-Identifier: Apache-2.0
import { glob, readFile } from 'node:fs/promises';
import type { Pod } from '@forge/kube/kinds/builtin.ts';
import type { LocalKeystones } from './local-keystones.ts';

/** What changes when a pod is replaced or its container is restarted. */
export function livesOf(pods: readonly Pod[]): string[] {
  return pods
    .map(({ metadata, status }) => `${metadata.uid} ${status?.containerStatuses?.[0]?.restartCount}`)
    .toSorted();
}

/** What the containers of a pod have printed, also after it has ended. */
export async function logOf({ data }: LocalKeystones, { metadata }: Pod): Promise<string> {
  let text = '';
  const pattern = `${metadata.namespace}_${metadata.name}_${metadata.uid}/**/*.log`;
  for await (const file of glob(pattern, { cwd: data.path('logs') })) {
    text += await readFile(data.path('logs', file), 'utf8');
  }
  return text;
}
