// SPDX-License-Identifier: Apache-2.0
import { keystoneOperator } from '@forge/keystone/operator.ts';
import { systemHost } from '@forge/runtime/process/process-host.ts';
import { runOperator } from '@forge/runtime/process/run-operator.ts';
import { healthyKeystones } from './healthy-keystones.ts';

// The operator as it ships, but for the Keystone APIs: there are none behind the addresses of a benchmark.
process.exit(await runOperator({ ...keystoneOperator, controllers: healthyKeystones }, systemHost()));
