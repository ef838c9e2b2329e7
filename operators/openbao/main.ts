// SPDX-License-Identifier: Apache-2.0
import { systemHost } from '@forge/runtime/process/process-host.ts';
import { runOperator } from '@forge/runtime/process/run-operator.ts';
import { openbaoOperator } from './operator.ts';

// Ends it, whatever is left of work that could not be finished.
process.exit(await runOperator(openbaoOperator, systemHost()));
