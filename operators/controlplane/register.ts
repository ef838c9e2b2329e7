// SPDX-License-Identifier: Apache-2.0
import { ControlPlane } from './api/control-plane.ts';
import { CredentialRotation } from './api/credential-rotation.ts';
import { SecretAggregate } from './api/secret-aggregate.ts';
import { controlPlaneConditions, rotationConditions } from './conditions/condition-catalog.ts';
import { controlPlaneDashboard } from './dashboard.ts';
import { controlPlaneOperator } from './operator.ts';
import { controlPlaneSteps } from './reconcile.ts';

/** The entry of this operator in the register. */
export const controlPlane = {
  name: 'controlplane',
  operator: controlPlaneOperator,
  kinds: [
    { kind: ControlPlane, steps: controlPlaneSteps, conditions: controlPlaneConditions },
    { kind: CredentialRotation, conditions: rotationConditions },
    { kind: SecretAggregate },
  ],
  dashboard: controlPlaneDashboard,
  development: () => import('./test/development.ts'),
} as const;
