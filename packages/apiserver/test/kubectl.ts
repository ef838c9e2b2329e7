// SPDX-License-Identifier: Apache-2.0
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { ServedServer } from './served-server.ts';

/** The kubectl to test with. */
const program = process.env['KUBECTL'] ?? 'kubectl';

/** Why kubectl cannot be tested on this machine; false when it can, and always in CI. */
export function withoutKubectl(): string | false {
  const { error } = spawnSync(program, ['version', '--client']);
  return error !== undefined && process.env['CI'] === undefined ? 'kubectl is not installed' : false;
}

/** Options of a kubectl run. */
export interface KubectlOptions {
  /** Standard input. */
  input?: string;
  env?: Readonly<Record<string, string>>;
  /** Expected exit code. Default: 0. */
  ends?: number;
  /** Stops kubectl once its output matches. */
  until?: RegExp;
}

/** Runs kubectl with these arguments; returns its output. */
export type Kubectl = (words: string, more?: readonly string[], options?: KubectlOptions) => Promise<string>;

/** kubectl as administrator, in a new namespace. */
export async function kubectlIn(server: ServedServer, namespace: string): Promise<Kubectl> {
  const kubectl: Kubectl = async (words, more = [], { input = '', env = {}, ends = 0, until } = {}) => {
    const files = { KUBECONFIG: server.kubeconfig, KUBECACHEDIR: join(server.folder, 'cache') };
    const args = [`--namespace=${namespace}`, ...words.split(' '), ...more];
    const child = spawn(program, args, { env: { ...process.env, ...files, ...env } });
    let printed = '';
    for (const output of [child.stdout, child.stderr]) {
      output.setEncoding('utf8').on('data', (text: string) => {
        printed += text;
        if (until?.test(printed) === true) child.kill();
      });
    }
    child.stdin.end(input);
    const [code] = (await once(child, 'close')) as [number | null];
    const ended = until === undefined ? code === ends : until.test(printed);
    if (!ended) throw new Error(`kubectl ${args.join(' ')} exited with ${code}: ${printed}`);
    return printed;
  };
  await kubectl(`create namespace ${namespace}`);
  return kubectl;
}
