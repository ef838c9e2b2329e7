// SPDX-License-Identifier: Apache-2.0
import { openbaoOperator } from '@forge/openbao/operator.ts';
import { systemHost } from '@forge/runtime/process/process-host.ts';
import { runOperator } from '@forge/runtime/process/run-operator.ts';
import { answeringOpenBao } from './answering-openbao.ts';

// The operator as shipped, except for the servers: a benchmark has none.
process.exit(await runOperator({ ...openbaoOperator, controllers: answeringOpenBao }, systemHost()));
