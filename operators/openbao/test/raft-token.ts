// SPDX-License-Identifier: Apache-2.0
import type { OpenBaoPods } from '@forge/simulation/openbao/openbao-pods.ts';
import { jwtAccessOf } from '../clients/jwt-access.ts';
import { openbaoFixture } from './openbao-fixture.ts';

/** The Secret with the token for upgrades, and what names it. */
export const upgradeSecret = 'upgrade-token';
export const withUpgradeToken = { upgrade: { tokenSecretRef: { name: upgradeSecret } } } as const;

/** The token in it. */
export const upgradeToken = 's.upgrade';

/** The policy that `forge seed` writes for upgrades, or for backups. */
export const policyFor = (purpose: 'upgrade' | 'backup'): string => jwtAccessOf(openbaoFixture())[purpose].policy.text;

/** The server that leads. */
export const leaderIn = (servers: OpenBaoPods): ReturnType<OpenBaoPods['serverIn']> =>
  Array.from({ length: 5 }, (_, ordinal) => servers.serverIn({ namespace: 'default', name: `demo-${ordinal}` })).find(
    (server) => server?.leads === true,
  );

/** Lets the servers know a token with this policy: undefined revokes it. */
export function setToken(servers: OpenBaoPods, policy: string | undefined, token = upgradeToken): void {
  const leader = leaderIn(servers);
  if (leader === undefined) throw new Error('no server leads');
  servers.servers?.raft.commit(leader, (state) => {
    if (policy === undefined) {
      delete state.tokens[token];
      return;
    }
    state.policies[token] = { text: policy, version: 1, modifiedAt: 0 };
    state.tokens[token] = {
      accessor: token,
      entityId: '',
      policies: ['default', token],
      displayName: 'token',
      path: 'auth/token/create',
      meta: null,
      createdAt: 0,
      ttl: 0,
    };
  });
}
