// SPDX-License-Identifier: Apache-2.0
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cachedImages, report } from '@forge/testing/programs/test-program.ts';
import { runCommand } from '../../../host/run-command.ts';
import { toolbox } from '../../../host/toolbox.ts';
import { addresses } from '../../network/addresses.ts';
import { nodeCommand } from '../../node-command.ts';
import { policyCases, withIngress, type PolicyCase } from './policy-cases.ts';
import { maxConnections, policyNetwork } from './policy-network.ts';
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
  'more ports than fit into one transaction of the kernel are all enforced',
  await problemOf({ allowed: ['front > api tcp/5000'], refused: ['front > api tcp/5001', 'front > api udp/5000'] }),
);

await network.enforce([]);
// Earlier ones of these pods may still count.
const isLimited = (refused: number) => refused >= 50 && refused < 60;
const toPod = await refusedOfMany('metrics > database udp/5000');
report(
  'a pod has a limited number of connections, and others are not concerned',
  isLimited(toPod)
    ? await problemOf({ allowed: ['back > database udp/5000'], refused: ['metrics > database tcp/5000'] })
    : `${toPod} connections were refused`,
);
const toNode = await refusedOfMany(`front > node udp/${addresses.kubeletPort}`);
report(
  'connections to the node count as well',
  isLimited(toNode)
    ? await problemOf({
        allowed: [`api > node tcp/${addresses.kubeletPort}`, 'front > dns udp/53'],
        refused: [`front > node tcp/${addresses.kubeletPort}`, 'front > database tcp/5000'],
      })
    : `${toNode} connections were refused`,
);
const before = await tracked();
const toDns = await refusedOfMany('api > dns udp/53');
const added = (await tracked()) - before;
report(
  'queries over UDP are no connections, however many they are',
  toDns === 0 && added < maxConnections / 2 ? undefined : `${toDns} were refused, ${added} are tracked`,
);
process.exit(0);

/** How many of more connections than a pod may have are refused. */
async function refusedOfMany(text: string): Promise<number> {
  const attempts = Array.from({ length: maxConnections + 50 }, () => network.connect(text));
  return (await Promise.allSettled(attempts)).filter(({ status }) => status === 'rejected').length;
}

/** How many connections the kernel tracks in this network. */
async function tracked(): Promise<number> {
  return Number(await readFile('/proc/sys/net/netfilter/nf_conntrack_count', 'utf8'));
}

/** Those that this program can open. */
function sockets(texts: readonly string[]): string[] {
  return texts.filter((text) => connection(text).protocol !== 'sctp');
}

/** The connections for which the kernel decided differently. */
async function problemOf({ allowed, refused }: Pick<PolicyCase, 'allowed' | 'refused'>): Promise<string | undefined> {
  const problems = [
    ...(await Promise.all(sockets(allowed).map(async (text) => problem(text, expected(text))))),
    ...(await Promise.all(sockets(refused).map(async (text) => problem(text, 'EHOSTUNREACH')))),
  ];
  const found = problems.filter((text) => text !== undefined);
  return found.length > 0 ? found.join('; ') : undefined;
}

/** The receiver sees the sender's address, also through a Service; a pod that is its own client sees the node's. */
function expected(text: string): string | undefined {
  const { from, to } = connection(text);
  return from === 'api' && to === 'identity' ? addressOf['node'] : addressOf[from];
}

async function problem(text: string, wanted: string | undefined): Promise<string | undefined> {
  const result = await network.connect(text).catch((error: Error) => error.message);
  return result === wanted ? undefined : `${text}: ${result} instead of ${wanted}`;
}
