// SPDX-License-Identifier: Apache-2.0
import { keystoneOperator } from '@forge/keystone/operator.ts';
import { systemHost } from '@forge/runtime/process/process-host.ts';
import { runOperator } from '@forge/runtime/process/run-operator.ts';
import { healthyKeystones } from './healthy-keystones.ts';

// The operator as shipped, except for the Keystone APIs: a benchmark has none.
process.exit(await runOperator({ ...keystoneOperator, controllers: healthyKeystones }, systemHost()));
