// SPDX-License-Identifier: Apache-2.0
// Bundles the program of the first argument into the folder of the second. A process of its own, because the bundler
// keeps hundreds of megabytes.
import { bundle } from './bundle.ts';

const [program = '', dir = ''] = process.argv.slice(2);
await bundle(program, dir);
