// SPDX-License-Identifier: Apache-2.0
// The program of a test run: imports the test files that are its arguments.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

for (const file of process.argv.slice(2)) await import(pathToFileURL(resolve(file)).href);
