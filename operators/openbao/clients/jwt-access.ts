// SPDX-License-Identifier: Apache-2.0
import { jwtAudience, namesOf } from '../api/names.ts';
import type { OpenBaoCluster } from '../api/openbao-cluster.ts';
import { callsBy, policyRuleOf, type Caller } from './token-calls.ts';

/** The path at which the operator and its Jobs log in. */
export const jwtMount = 'jwt';

/** A role to log in with as one ServiceAccount, and its policy, as OpenBao must hold them. */
export interface JwtAccess {
  readonly role: string;
  /** The field that names the role. */
  readonly field: 'spec.upgrade.jwtAuthRole' | 'spec.backup.jwtAuthRole';
  /** Whether it does so; the role has a default name otherwise. */
  readonly isNamed: boolean;
  readonly policy: { readonly name: string; readonly text: string };
  /** What is written to the role. */
  readonly settings: {
    readonly role_type: 'jwt';
    readonly user_claim: 'sub';
    readonly bound_audiences: readonly string[];
    readonly bound_subject: string;
    readonly token_policies: readonly string[];
    /** Seconds. */
    readonly token_ttl: number;
  };
}

type Cluster = Pick<OpenBaoCluster, 'metadata' | 'spec'>;

/** The operator logs in again when two thirds of it are over, a Job once. */
const tokenSeconds = 3600;

/** All that OpenBao must hold so that upgrades and backups of a cluster can log in, and may do what they must. */
export function jwtAccessOf(cluster: Cluster): { readonly upgrade: JwtAccess; readonly backup: JwtAccess } {
  const { upgradeServiceAccount, backupServiceAccount } = namesOf(cluster);
  const { upgrade, backup, updateStrategy } = cluster.spec;
  return {
    upgrade: accessOf(cluster, {
      purpose: 'upgrade',
      named: upgrade?.jwtAuthRole,
      serviceAccount: upgradeServiceAccount,
      caller: updateStrategy.type === 'BlueGreen' ? 'blueGreen' : 'rolling',
    }),
    backup: accessOf(cluster, {
      purpose: 'backup',
      named: backup?.jwtAuthRole,
      serviceAccount: backupServiceAccount,
      caller: 'backup',
    }),
  };
}

interface Purpose {
  readonly purpose: 'upgrade' | 'backup';
  readonly named: string | undefined;
  readonly serviceAccount: string;
  readonly caller: Caller;
}

function accessOf({ metadata }: Cluster, { purpose, named, serviceAccount, caller }: Purpose): JwtAccess {
  const policy = `openbao-operator-${purpose}`;
  return {
    role: named ?? purpose,
    field: `spec.${purpose}.jwtAuthRole`,
    isNamed: named !== undefined,
    policy: { name: policy, text: `${callsBy(caller).map(policyRuleOf).join('\n')}\n` },
    settings: {
      role_type: 'jwt',
      user_claim: 'sub',
      bound_audiences: [jwtAudience],
      bound_subject: `system:serviceaccount:${metadata.namespace ?? ''}:${serviceAccount}`,
      token_policies: [policy],
      token_ttl: tokenSeconds,
    },
  };
}
