// SPDX-License-Identifier: Apache-2.0
import { httpClient } from '@forge/runtime/http/http-client.ts';
import type { Operator } from '@forge/runtime/process/run-operator.ts';
import { openbaoPolicy } from './admission/policy.ts';
import { OpenBaoCluster } from './api/openbao-cluster.ts';
import { openbaoApi } from './clients/openbao-api.ts';
import { rememberedLogins } from './clients/remembered-logins.ts';
import manifest from './package.json' with { type: 'json' };
import { openbaoController } from './reconcile.ts';

/** The openbao operator as a process runs it. */
export const openbaoOperator: Operator = {
  name: 'openbao-operator',
  description: 'Drives every OpenBaoCluster to servers that are initialised, unsealed and reachable.',
  version: manifest.version,
  lease: 'openbao-controller-leader.openbao.org',
  kinds: [OpenBaoCluster],
  policies: [openbaoPolicy],
  controllers({ ownNamespace }, { clock }) {
    const openbao = openbaoApi((trust) => httpClient({ clock, ...trust }));
    return [
      openbaoController({ reading: { openbao, logins: rememberedLogins(clock), ownNamespace }, acting: { openbao } }),
    ];
  },
};
