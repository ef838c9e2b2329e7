// SPDX-License-Identifier: Apache-2.0
import { launchOperator } from '@forge/runtime/process/launch-operator.mjs';

await launchOperator(import.meta.url, () => import('./openbao-process.ts'));
