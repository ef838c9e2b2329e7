// SPDX-License-Identifier: Apache-2.0
import type { ClusterOptions } from './cluster-arguments.ts';
import type { Environment, SeedOptions } from './seed-arguments.ts';
import { seedClusterCommand } from './seed-cluster-command.ts';
import { seedCommand } from './seed-command.ts';
import type { Seeded } from './seed.ts';

/** What `forge seed --help` says besides its options. */
export const seedHelp = `
Before an OpenBaoCluster can be upgraded or backed up with a role, its OpenBao must trust the tokens of the ServiceAccounts
CLUSTER-upgrade-serviceaccount and CLUSTER-backup-serviceaccount. --openbao-cluster sets up:

  auth/jwt              the auth method, its issuer and the keys of the issuer
  sys/policies/acl      openbao-operator-upgrade and openbao-operator-backup: what the operator and its Jobs call
  auth/jwt/role         the roles that spec.upgrade.jwtAuthRole and spec.backup.jwtAuthRole name, or upgrade and backup

Keys: by default those that the API server publishes now. This works with every cluster, and OpenBao needs no way to the API
server; when the API server gets new keys, run the command again with --replace. With --jwks-url or --oidc-discovery-url
OpenBao reads the keys itself whenever they change. This suits issuers that anybody may read, as those of managed clusters,
and spec.network.egressRules of the OpenBaoCluster must let its servers reach them.

The token needs create, read and update on these paths, read on sys/auth, and sudo on sys/auth/jwt; for a new cluster, use
the root token.`;

const outcomes: Readonly<Record<Seeded['outcome'], string>> = {
  written: 'written',
  kept: 'kept as it was',
  replaced: 'replaced',
};

/** Runs `forge seed`, and returns what it prints. */
export async function seedLines(options: SeedOptions & ClusterOptions, environment: Environment): Promise<string[]> {
  const { seeded, remains } =
    options.openbaoCluster === undefined
      ? { seeded: await seedCommand(options, environment), remains: [] }
      : await seedClusterCommand(options, environment);
  return [...seeded.map(({ path, outcome }) => `${path}  ${outcomes[outcome]}`), ...remains];
}
