// SPDX-License-Identifier: Apache-2.0
// A program on a Node that needs no second process; it starts one of its own, which compiles something.
import { execFileSync } from 'node:child_process';
import { launch } from '../launch.mjs';

await launch(import.meta.url, async () => {
  process.on('SIGTERM', () => {
    console.log('stopping');
    process.exit(7);
  });
  execFileSync(process.execPath, [new URL('compiled.mjs', import.meta.url).pathname], { stdio: 'inherit' });
  if (process.argv.includes('--once')) return;
  setInterval(() => {}, 60_000);
  console.log(`running ${process.pid}`);
});
