// SPDX-License-Identifier: Apache-2.0
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { StandInName } from '@forge/cluster/stand-ins/register/stand-ins.ts';
import { systemClock } from '@forge/runtime/environment/clock.ts';
import { errorText } from '@forge/runtime/observability/error-text.ts';
import { Command, CommanderError, Option } from 'commander';
import { checkControlPlane } from './check/check-control-plane.ts';
import { stopwatch, checkKeystone } from './check/check-keystone.ts';
import { checkSecrets } from './check/check-secrets.ts';
import { stopForge } from './data/acquire-data-folder.ts';
import type { ClusterOptions } from './openbao/cluster-arguments.ts';
import type { SeedOptions } from './openbao/seed-arguments.ts';
import { seedHelp, seedLines } from './openbao/seed-lines.ts';
import manifest from './package.json' with { type: 'json' };
import { reportReadiness } from './status/report-readiness.ts';
import { resourceTree } from './status/resource-tree.ts';
import { statusText } from './status/status-text.ts';
import { statusOf } from './status/status.ts';
import { CliError, report } from './terminal/cli-error.ts';
import { exitCodes } from './terminal/exit-code.ts';
import { progress } from './terminal/progress.ts';
import { stopSignal } from './terminal/stop-signal.ts';
import { controlPlaneDemo } from './up/control-plane-demo.ts';
import type { Demo } from './up/demo.ts';
import { keystoneDemo } from './up/keystone-demo.ts';
import { parseStandInNames, standInNames } from './up/stand-ins.ts';
import { up } from './up/up.ts';
import { welcome } from './up/welcome.ts';

const program = new Command('forge')
  .description('OpenStack identity on Kubernetes, on one machine.')
  .version(manifest.version)
  .showHelpAfterError('See forge --help.')
  .exitOverride();

program
  .command('up')
  .description(
    'start a cluster with a ControlPlane (MariaDB, Memcached, Keystone, application credential, catalog) and OpenBao in the foreground; Ctrl-C stops them',
  )
  .option('--data <dir>', 'the data folder', '.forge')
  .option(
    '--check',
    'start in a temporary folder, use the Keystone, compare its Secrets with OpenBao, rotate the application credential, stop; the last line is JSON with the seconds of each phase',
  )
  .addOption(new Option('--only <what>', 'a Keystone without a ControlPlane').choices(['keystone']))
  .option(
    '--without-stand-ins <names>',
    `omit stand-ins for third-party operators, so that the real ones can run: ${standInNames.join(',')}`,
  )
  .action(async (options: { data: string; check?: true; only?: 'keystone'; withoutStandIns?: string }) => {
    const without = parseStandInNames(options.withoutStandIns);
    const demo = options.only === 'keystone' ? keystoneDemo : controlPlaneDemo;
    await (options.check ? check(demo, without) : runUntilStopped(demo, options.data, without));
  });

program
  .command('status')
  .description(
    'show what failed, what runs, what waits for what, what is not enforced, and where the logs are; exit code 1 when something failed',
  )
  .option('--data <dir>', 'the data folder', '.forge')
  .addOption(new Option('-o, --output <format>', 'the format').choices(['text', 'json']).default('text'))
  .action(async ({ data, output }: { data: string; output: 'text' | 'json' }) => {
    const status = await statusOf(data, process.argv[1] ?? 'forge');
    console.log(output === 'json' ? JSON.stringify(status, undefined, 2) : statusText(status));
    if (status.summary.state === 'failed') process.exitCode = exitCodes.failed.code;
  });

program
  .command('down')
  .description('stop the cluster that uses this data folder')
  .option('--data <dir>', 'the data folder', '.forge')
  .action(async ({ data }: { data: string }) => {
    const stopped = await stopForge(data);
    if (stopped === undefined) throw new CliError(`No forge is running on ${resolve(data)}.`);
    console.log(`Stopped the forge (process ${stopped.pid}) on ${stopped.dir}.`);
  });

program
  .command('seed')
  .description(
    'set up an OpenBao: the generated credentials of a Keystone or ControlPlane, or the logins of an OpenBaoCluster; what is there is kept',
  )
  .requiredOption('--namespace <ns>', 'the namespace of the resource')
  .option('--keystone <name>', 'a Keystone')
  .option('--control-plane <name>', 'a ControlPlane, in place of its Keystone')
  .option('--openbao-cluster <name>', 'an OpenBaoCluster: roles and policies for its upgrades and backups')
  .option('--address <url>', 'the URL of OpenBao; default: $BAO_ADDR')
  .option(
    '--ca-file <file>',
    'PEM of the authority that signed its certificate; default: $BAO_CACERT, or that of the OpenBaoCluster',
  )
  .option('--token-file <file>', 'a file with the token; default: the token in $BAO_TOKEN')
  .option('--mount <path>', 'the KV mount of version 2; default: kv-v2')
  .optionsGroup('Options of --openbao-cluster:')
  .option('--kubeconfig <file>', 'the cluster that it is in; default: $KUBECONFIG')
  .option('--jwt-keys <file>', 'the public keys of ServiceAccount tokens, in PEM or as JSON Web Key Set')
  .option('--jwks-url <url>', 'where OpenBao reads these keys itself')
  .option('--oidc-discovery-url <url>', 'where OpenBao learns where to read them')
  .option('--issuer-ca-file <file>', 'PEM of the authority of that URL')
  .option('--replace', 'overwrite what is there and differs')
  .addHelpText('after', seedHelp)
  .action(async (options: SeedOptions & ClusterOptions) => {
    for (const line of await seedLines(options, process.env)) console.log(line);
  });

const toTerminal = () =>
  progress({ write: (text) => process.stdout.write(text), clock: systemClock, colour: coloured() });

async function runUntilStopped(demo: Demo, dataDir: string, without: ReadonlySet<StandInName>): Promise<void> {
  const stopping = stopSignal('Stopped before Keystone was ready.');
  const shown = toTerminal();
  const options = { demo, dataDir, progress: shown, signal: stopping.signal, without, onDown: stopping.stop };
  const running = await up(options).catch((error: unknown) => {
    if (stopping.signal.aborted) return undefined;
    throw error;
  });
  if (running === undefined)
    return shown.print('\nStopped before Keystone was ready; the next start continues from here.');
  shown.print(welcome(running, process.argv[1] ?? 'forge', await resourceTree(running.client, demo)));
  const ended = new AbortController();
  reportReadiness(running.client, demo, shown, ended.signal).catch((error: unknown) =>
    shown.print(`Changes of readiness are no longer shown: ${errorText(error)}`),
  );
  const lost = await Promise.race([running.lost, stopping.stopped]);
  ended.abort();
  shown.print('\nStopping.');
  await running.stop();
  if (typeof lost === 'string') throw new CliError(lost);
}

/** A check that takes longer than this has failed. */
const checkTimeout = 20 * 60 * 1000;

async function check(demo: Demo, without: ReadonlySet<StandInName>): Promise<void> {
  const stopping = stopSignal('Stopped before Keystone was ready.');
  const { phases, timed } = stopwatch(() => performance.now());
  const dataDir = await mkdtemp(join(tmpdir(), 'forge-check-'));
  try {
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(checkTimeout)]);
    const options = { demo, dataDir, progress: toTerminal(), signal, without, onDown: stopping.stop };
    const running = await timed('up', () => up(options));
    try {
      await checkKeystone(running, timed);
      await checkSecrets(running, timed);
      if (demo === controlPlaneDemo) await checkControlPlane(running, timed);
    } finally {
      await timed('down', () => running.stop());
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
  console.log(JSON.stringify({ ok: true, seconds: phases }));
}

function coloured(): boolean {
  return process.stdout.isTTY && process.env['NO_COLOR'] === undefined;
}

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) report(error);
  else if (error.exitCode !== 0) process.exitCode = exitCodes.usage.code;
}
