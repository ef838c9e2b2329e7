// SPDX-License-Identifier: Apache-2.0
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from '../../../host/run-command.ts';
import { toolbox } from '../../../host/toolbox.ts';
import { nodeCommand } from '../../node-command.ts';
import { cachedImages, report } from '../test-program.ts';
import { policyCases, type PolicyCase } from './policy-cases.ts';
import { policyNetwork } from './policy-network.ts';
import { addressOf, connection } from './policy-world.ts';

const [folder = '', toolsRoot] = process.argv.slice(2);

if (toolsRoot === undefined) {
  const [image] = await cachedImages('forge/tools');
  const command = nodeCommand([process.execPath, import.meta.filename, folder, image?.root ?? '']);
  const [program = '', ...args] = command;
  const [code] = (await once(spawn(program, args, { stdio: 'inherit' }), 'close')) as [number];
  process.exit(code);
}

const tools = toolbox(toolsRoot);
const networks = join(folder, 'networks');
await mkdir(networks);
await runCommand([...tools.mount, '-t', 'tmpfs', 'tmpfs', networks]);
const network = await policyNetwork(networks, tools);

for (const each of policyCases) {
  await network.enforce(each.policies);
  report(each.name, await problemOf(each));
}
process.exit(0);

/** Those that this program can open. */
function sockets(texts: readonly string[]): string[] {
  return texts.filter((text) => connection(text).protocol !== 'sctp');
}

/** What the kernel decided otherwise. */
async function problemOf({ allowed, refused }: PolicyCase): Promise<string | undefined> {
  const problems = [
    ...(await Promise.all(sockets(allowed).map(async (text) => problem(text, expected(text))))),
    ...(await Promise.all(sockets(refused).map(async (text) => problem(text, 'EHOSTUNREACH')))),
  ];
  const found = problems.filter((text) => text !== undefined);
  return found.length > 0 ? found.join('; ') : undefined;
}

/** The receiver sees the sender's own address, through a Service, too; a pod that is its own client, the node's. */
function expected(text: string): string | undefined {
  const { from, to } = connection(text);
  return from === 'api' && to === 'identity' ? addressOf['node'] : addressOf[from];
}

async function problem(text: string, wanted: string | undefined): Promise<string | undefined> {
  const result = await network.connect(text).catch((error: Error) => error.message);
  return result === wanted ? undefined : `${text}: ${result} instead of ${wanted}`;
}
