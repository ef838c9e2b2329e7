// SPDX-License-Identifier: Apache-2.0
import { glob, readFile } from 'node:fs/promises';
import type { LiveOpenBao } from '@forge/openbao/test/real/live-openbao.ts';

/** The lines of a container log, with the milliseconds since the epoch when the node received them. */
export interface ServerLog {
  /** The time of the first line that contains this text; throws when there is none. Default: of the first line. */
  timeOf(text?: string): number;
}

/** What the server in a pod has written so far. */
export async function serverLog({ cluster, ref }: LiveOpenBao, pod: string): Promise<ServerLog> {
  const files = await Array.fromAsync(glob(`${cluster.folder}/logs/${ref.namespace}_${pod}_*/openbao/0.log`));
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  const lines = texts.join('').split('\n');
  return {
    timeOf(text = '') {
      const line = lines.find((each) => each.includes(text));
      if (line === undefined) throw new Error(`the log of ${pod} has no line with "${text}"`);
      return Date.parse(line.slice(0, line.indexOf(' ')));
    },
  };
}
