// SPDX-License-Identifier: Apache-2.0
// A program started as on an older Node: the first process supervises a second one, which does the work.
import { endWithParent, superviseChild } from '../launch.mjs';

if (process.channel === undefined) {
  superviseChild(process.execPath, import.meta.url);
} else {
  endWithParent();
  process.on('SIGTERM', () => {
    console.log('stopping');
    process.exit(7);
  });
  setInterval(() => {}, 60_000);
  console.log(`running ${process.pid}`);
}
