// SPDX-License-Identifier: Apache-2.0
import { systemHost } from '@forge/runtime/process/process-host.ts';
import { runOperator } from '@forge/runtime/process/run-operator.ts';
import { websitesOperator } from './websites.ts';

const farewell = async (website: string) => console.log(`${website} is gone`);
// Exits, even with unfinished work.
process.exit(await runOperator(websitesOperator({ farewell }), systemHost()));
