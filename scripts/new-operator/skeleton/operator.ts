// SPDX-License-Identifier: Apache-2.0
import type { Operator } from '@forge/runtime/process/run-operator.ts';
import { Specimen } from './api/specimen.ts';
import manifest from './package.json' with { type: 'json' };
import { specimenController } from './reconcile.ts';

/** The specimen operator as a process runs it. */
export const specimenOperator: Operator = {
  name: 'specimen-operator',
  description: 'Writes the text of every Specimen into a ConfigMap.',
  version: manifest.version,
  lease: 'specimen.c5c3.io',
  kinds: [Specimen],
  controllers: () => [specimenController({ reading: {}, acting: {} })],
};
