// SPDX-License-Identifier: Apache-2.0
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from '../../../host/run-command.ts';
import { toolbox } from '../../../host/toolbox.ts';
import { nodeCommand } from '../../node-command.ts';
import { cachedImages, report } from '../test-program.ts';
import { policyCases, withIngress, type PolicyCase } from './policy-cases.ts';
import { mostConnections, policyNetwork } from './policy-network.ts';
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

const ports = Array.from({ length: 3000 }, (_, index) => ({ protocol: 'TCP', port: 2 * index + 2 }));
await network.enforce(withIngress([{ ports }]));
report(
  'more ports than the kernel takes at once are in force as a whole',
  await problemOf({ allowed: ['front > api tcp/5000'], refused: ['front > api tcp/5001', 'front > api udp/5000'] }),
);

await network.enforce([]);
const attempts = Array.from({ length: mostConnections + 50 }, () => network.connect('metrics > database udp/5000'));
const refusals = (await Promise.allSettled(attempts)).filter(({ status }) => status === 'rejected');
report(
  'a pod has a limited number of connections, and others are not concerned',
  // Earlier ones of this pod may still count.
  refusals.length >= 50 && refusals.length < 60
    ? await problemOf({ allowed: ['back > database udp/5000'], refused: ['metrics > database tcp/5000'] })
    : `${refusals.length} connections were refused`,
);
process.exit(0);

/** Those that this program can open. */
function sockets(texts: readonly string[]): string[] {
  return texts.filter((text) => connection(text).protocol !== 'sctp');
}

/** What the kernel decided otherwise. */
async function problemOf({ allowed, refused }: Pick<PolicyCase, 'allowed' | 'refused'>): Promise<string | undefined> {
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
