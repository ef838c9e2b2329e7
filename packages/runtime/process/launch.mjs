// SPDX-License-Identifier: Apache-2.0
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import module, { createRequire } from 'node:module'; // not { enableCompileCache }: Node 20 lacks it
import { constants } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** How often a process that npm started checks whether its parent still runs. */
const parentCheckInterval = 250;

/**
 * Runs a program on Node 24, which npm installs with us, whatever Node runs the file that calls this.
 *
 * Guarantees: SIGINT, SIGTERM and SIGHUP reach the program, and the program gets SIGTERM when its launcher ends,
 * however that ends, and when the npm or npx that started it does.
 */
export async function launch(caller, program) {
  if (Number(process.versions.node.split('.')[0]) < 24) return superviseChild(bundledNode(caller), caller);
  endWithParent();
  shareCompileCache();
  await program();
  module.flushCompileCache(); // a process that is killed writes nothing else
}

/** Runs the caller's file again on another Node, as a child that ends with this process. */
export function superviseChild(node, caller) {
  const child = spawn(node, [fileURLToPath(caller), ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'], // the channel closes when this process ends, even by SIGKILL
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  onParentExit(() => child.kill('SIGTERM'));
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + constants.signals[signal];
  });
}

/** Sends this process SIGTERM when the launcher that supervises it, or the npm that started it, is gone. */
export function endWithParent() {
  if (process.channel === undefined) return onParentExit(terminate);
  process.once('disconnect', terminate);
  process.channel.unref(); // does not keep alive a program that is done
}

function terminate() {
  process.kill(process.pid, 'SIGTERM');
}

/**
 * npm and npx put a shell between them and us, which passes no signal on and outlives them when they are killed.
 * No other parent is watched: a program started in the background should outlive its shell.
 */
function onParentExit(callback) {
  if (process.env.npm_command === undefined) return;
  const parents = parentsOf();
  const timer = setInterval(() => {
    if (parentsOf() === parents) return;
    clearInterval(timer);
    callback();
  }, parentCheckInterval);
  timer.unref();
}

/** The parent of this process and, where that is a shell, the shell's parent. */
function parentsOf() {
  const [, shellParent] = /\((?:sh|dash|bash)\) \S (\d+)/.exec(statOf(process.ppid)) ?? [];
  return `${process.ppid} ${shellParent}`;
}

function statOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return ''; // it has just ended, or this is not Linux
  }
}

/** Enables a compile cache in the user's cache folder, for this process and its children, where possible. */
function shareCompileCache() {
  const { NODE_COMPILE_CACHE, XDG_CACHE_HOME, HOME = '/nonexistent' } = process.env;
  if (NODE_COMPILE_CACHE) return; // Node itself has enabled it
  const folder = join(XDG_CACHE_HOME || join(HOME, '.cache'), 'forge', 'compiled');
  module.enableCompileCache(folder);
  if (module.getCompileCacheDir() !== undefined) process.env.NODE_COMPILE_CACHE = folder;
}

function bundledNode(caller) {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const prefix = platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node';
  const found = createRequire(caller).resolve(`${prefix}-${platform}-${process.arch}/package.json`);
  return found.replace(/package\.json$/, platform === 'win' ? 'bin/node.exe' : 'bin/node');
}
