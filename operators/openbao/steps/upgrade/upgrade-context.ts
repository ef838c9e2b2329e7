// SPDX-License-Identifier: Apache-2.0
import type { StatefulSet } from '@forge/kube/kinds/builtin.ts';
import type { Outcome } from '@forge/runtime/steps/outcome.ts';
import type { OpenBaoCluster } from '../../api/openbao-cluster.ts';
import type { ContextWith } from '../../clients/services.ts';
import type { ServerTrust } from '../../objects/tls/server-trust.ts';
import type { Target } from '../target.ts';
import type { Rollout, UpgradeState } from './upgrade-state.ts';

/** The context of the step. */
export type UpgradeContext = ContextWith<{ target: Target; certificates: ServerTrust }>;

type Status = NonNullable<OpenBaoCluster['status']>;

/** What it sets in status. */
type UpgradeStatus = Partial<Pick<Status, 'upgrade' | 'currentVersion' | 'backup'>>;

/** How it ends. */
export type UpgradeOutcome = Outcome<Rollout, { [F in keyof UpgradeStatus]: UpgradeStatus[F] | undefined }>;

/** An upgrade under way, with the set that it changes. */
export interface UnderWay {
  readonly state: UpgradeState;
  readonly set: StatefulSet;
}
