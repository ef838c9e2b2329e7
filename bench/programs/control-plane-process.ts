// SPDX-License-Identifier: Apache-2.0
import { controlPlaneOperator } from '@forge/controlplane/operator.ts';
import { systemHost } from '@forge/runtime/process/process-host.ts';
import { runOperator } from '@forge/runtime/process/run-operator.ts';
import { answeringControlPlanes } from './answering-control-planes.ts';

// The operator as shipped, except for the Keystone APIs: a benchmark has none.
process.exit(await runOperator({ ...controlPlaneOperator, controllers: answeringControlPlanes }, systemHost()));
