#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
import { launchSmall } from '@forge/runtime/process/launch-small.mjs';

await launchSmall(import.meta.url, () => import('./main.ts'));
