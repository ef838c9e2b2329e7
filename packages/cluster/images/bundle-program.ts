// SPDX-License-Identifier: Apache-2.0
// Bundles the program of the first argument into the folder of the second. It is a separate process, because the
// bundler does not release hundreds of megabytes.
import { bundle } from './bundle.ts';

const [program = '', dir = ''] = process.argv.slice(2);
await bundle(program, dir);
