// SPDX-License-Identifier: Apache-2.0
import { systemHost } from '@forge/runtime/process/process-host.ts';
import { runOperator } from '@forge/runtime/process/run-operator.ts';
import { openbaoOperator } from './operator.ts';

// Ends the process, even if some work could not be finished.
process.exit(await runOperator(openbaoOperator, systemHost()));
