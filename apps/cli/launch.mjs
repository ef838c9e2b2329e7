// SPDX-License-Identifier: Apache-2.0
import { spawn } from 'node:child_process';
import module, { createRequire } from 'node:module'; // not { enableCompileCache }: Node 20 lacks it
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

/** Runs a program on Node 24, which npm brought along, whatever Node runs the file that calls this. */
export async function launch(caller, program) {
  if (Number(process.versions.node.split('.')[0]) >= 24) {
    module.enableCompileCache();
    process.env.NODE_COMPILE_CACHE ??= module.getCompileCacheDir(); // for the processes it starts, too
    await program();
    module.flushCompileCache(); // what ends by a signal keeps nothing else
    return;
  }
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const prefix = platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node';
  const found = createRequire(caller).resolve(`${prefix}-${platform}-${process.arch}/package.json`);
  const node = found.replace(/package\.json$/, platform === 'win' ? 'bin/node.exe' : 'bin/node');
  const child = spawn(node, [fileURLToPath(caller), ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + constants.signals[signal];
  });
}
