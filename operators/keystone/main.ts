// SPDX-License-Identifier: Apache-2.0
import { systemHost } from '@forge/runtime/process/host.ts';
import { runOperator } from '@forge/runtime/process/run-operator.ts';
import { keystoneOperator } from './operator.ts';

process.exitCode = await runOperator(keystoneOperator, systemHost());
