// SPDX-License-Identifier: Apache-2.0
import { startOne } from '../benchmarks/start.ts';

console.log(await startOne());
