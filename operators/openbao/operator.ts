// SPDX-License-Identifier: Apache-2.0
import type { Operator } from '@forge/runtime/process/run-operator.ts';
import { openbaoPolicy } from './admission/policy.ts';
import { OpenBaoCluster } from './api/openbao-cluster.ts';
import manifest from './package.json' with { type: 'json' };
import { openbaoController } from './reconcile.ts';

/** The openbao operator as a process runs it. */
export const openbaoOperator: Operator = {
  name: 'openbao-operator',
  description: 'Writes the configuration of every OpenBaoCluster; it starts no pods yet.',
  version: manifest.version,
  lease: 'openbao-controller-leader.openbao.org',
  kinds: [OpenBaoCluster],
  policies: [openbaoPolicy],
  controllers: () => [openbaoController({ reading: {}, acting: {} })],
};
