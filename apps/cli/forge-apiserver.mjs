#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
import { launch } from '@forge/runtime/process/launch.mjs';

await launch(import.meta.url, () => import('./apiserver.ts'));
