// SPDX-License-Identifier: Apache-2.0
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@forge/runtime/clock.ts';
import { Command, CommanderError } from 'commander';
import { stopwatch, useKeystone } from './check.ts';
import { CliError, exitCode } from './cli-error.ts';
import { stopRunning } from './control.ts';
import manifest from './package.json' with { type: 'json' };
import { progress } from './progress.ts';
import { up } from './up.ts';
import { welcome } from './welcome.ts';

const program = new Command('forge')
  .description('OpenStack identity on Kubernetes, on one machine.')
  .version(manifest.version)
  .exitOverride();

program
  .command('up')
  .description('start a cluster and a Keystone in the foreground; Ctrl-C stops them')
  .option('--data <dir>', 'where everything is kept', '.forge')
  .option(
    '--check',
    'start in a temporary folder, use the Keystone, stop; the last line is JSON with the seconds of each phase',
  )
  .action(async (options: { data: string; check?: true }) => (options.check ? check() : runUntilStopped(options.data)));

program
  .command('down')
  .description('stop the cluster that runs on this data')
  .option('--data <dir>', 'where everything is kept', '.forge')
  .action(async ({ data }: { data: string }) => {
    const stopped = await stopRunning(data);
    if (stopped === undefined) throw new CliError(`No forge is running on ${data}.`);
    console.log(`Stopped the forge (process ${stopped.pid}) on ${stopped.dir}.`);
  });

const toTerminal = () =>
  progress({ write: (text) => process.stdout.write(text), clock: systemClock, colour: coloured() });

async function runUntilStopped(dataDir: string): Promise<void> {
  const stopping = stopSignal();
  const shown = toTerminal();
  const running = await up({ dataDir, progress: shown, signal: stopping.signal, onDown: stopping.stop }).catch(
    (error: unknown) => {
      if (stopping.signal.aborted) return undefined;
      throw error;
    },
  );
  if (running === undefined) return;
  shown.say(welcome(running, process.cwd()));
  const lost = await Promise.race([running.lost, stopping.stopped]);
  shown.say('\nStopping.');
  await running.stop();
  if (typeof lost === 'string') throw new CliError(lost);
}

/** A check that is not done after this time never will be. */
const longestCheck = 20 * 60 * 1000;

async function check(): Promise<void> {
  const stopping = stopSignal();
  const { phases, timed } = stopwatch(() => performance.now());
  const dataDir = await mkdtemp(join(tmpdir(), 'forge-check-'));
  try {
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(longestCheck)]);
    const options = { dataDir, progress: toTerminal(), signal, onDown: stopping.stop };
    const running = await timed('up', () => up(options));
    try {
      await useKeystone(running, timed);
    } finally {
      await timed('down', () => running.stop());
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
  console.log(JSON.stringify({ ok: true, seconds: phases }));
}

/** One Ctrl-C may reach us several times: from the terminal, from npm, from our launcher. */
const samePress = 500;

/** Aborts on the first SIGINT, SIGTERM or call; a second press ends the process at once. */
function stopSignal(): { signal: AbortSignal; stop: () => void; stopped: Promise<undefined> } {
  const controller = new AbortController();
  const { promise, resolve } = Promise.withResolvers<undefined>();
  let firstPress = Infinity;
  const stop = () => {
    controller.abort(new CliError('Stopped before Keystone was ready.', 130));
    resolve(undefined);
  };
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      firstPress = Math.min(firstPress, performance.now());
      if (performance.now() - firstPress > samePress) process.exit(130);
      stop();
    });
  }
  return { signal: controller.signal, stop, stopped: promise };
}

function coloured(): boolean {
  return process.stdout.isTTY && process.env['NO_COLOR'] === undefined;
}

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = exitCodeOf(error);
  if (error instanceof CliError) console.error(`\n${error.message}`);
  else if (!(error instanceof CommanderError)) console.error(error);
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CliError) return error.code;
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCode.usage;
  return exitCode.failed;
}
