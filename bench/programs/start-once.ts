// SPDX-License-Identifier: Apache-2.0
import { startOne } from '../harness/bench-server.ts';

console.log(await startOne());
