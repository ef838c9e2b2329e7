// SPDX-License-Identifier: Apache-2.0
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { StandInName } from '@forge/cluster/stand-ins/register/stand-ins.ts';
import { parseStandInNames } from '../../up/stand-ins.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const start = /^npm start -- --without-stand-ins=(\S+)$/m;

/** The commands of the guide in its order, before and after the one that starts the cluster. */
export interface GuideCommands {
  /** The stand-ins that the command omits. */
  without: ReadonlySet<StandInName>;
  /** Run before the cluster starts: they build programs and write recipes. */
  prepare: readonly string[];
  /** Run while the cluster waits for the neighbours. */
  install: readonly string[];
}

/** The commands of docs/neighbours/README.md; a block of the page is one script. */
export async function guideCommands(): Promise<GuideCommands> {
  const page = await readFile(new URL('../../../../docs/neighbours/README.md', import.meta.url), 'utf8');
  const scripts = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, script = '']) => script);
  const at = scripts.findIndex((script) => start.test(script));
  const [, names] = start.exec(scripts[at] ?? '') ?? [];
  return { without: parseStandInNames(names), prepare: scripts.slice(0, at), install: scripts.slice(at + 1) };
}

/**
 * Runs a script of the guide at the root of the repository, with this data folder instead of `.forge`; returns its
 * output.
 */
export async function runScript(script: string, dataDir: string, signal: AbortSignal): Promise<string> {
  const args = ['-euc', script.replaceAll('.forge/', `${dataDir}/`)];
  const env = { ...process.env, KUBECONFIG: `${dataDir}/kubeconfig` };
  const { stdout, stderr } = await promisify(execFile)('sh', args, { cwd: root, env, signal, maxBuffer: 2 ** 26 });
  return stdout + stderr;
}
