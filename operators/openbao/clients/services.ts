// SPDX-License-Identifier: Apache-2.0
import type { StepContext } from '@forge/runtime/steps/step-context.ts';
import type { Services as OutsideServices } from '@forge/runtime/steps/step.ts';
import type { OpenBaoCluster } from '../api/openbao-cluster.ts';
import type { OpenBaoActions, OpenBaoReader } from './openbao-services.ts';
import type { RememberedLogins } from './remembered-logins.ts';

/** What the steps need from outside the cluster, and how its process is configured. */
export type Services = OutsideServices<
  {
    openbao: OpenBaoReader;
    /** The tokens of logins that this process made. */
    logins: RememberedLogins;
    /** Namespace of the operator's own pod; undefined outside of a cluster. */
    ownNamespace: string | undefined;
  },
  { openbao: OpenBaoActions }
>;

/** The context of a part of a step; `Needs` are the outputs of other steps that it gets. */
export type ContextWith<Needs extends object = object> = StepContext<OpenBaoCluster, Services, Needs>;
