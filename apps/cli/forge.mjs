#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// Starts main.ts on Node 24, which npm brought along, whatever Node runs this file.
import { spawn } from 'node:child_process';
import module, { createRequire } from 'node:module'; // not { enableCompileCache }: Node 20 lacks it
import { fileURLToPath } from 'node:url';

if (Number(process.versions.node.split('.')[0]) >= 24) {
  module.enableCompileCache();
  process.env.NODE_COMPILE_CACHE ??= module.getCompileCacheDir(); // for the node's process, too
  await import('./main.ts');
} else {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const prefix = platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node';
  const found = createRequire(import.meta.url).resolve(`${prefix}-${platform}-${process.arch}/package.json`);
  const node = found.replace(/package\.json$/, platform === 'win' ? 'bin/node.exe' : 'bin/node');
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code) => {
    process.exitCode = code ?? 143;
  });
}
