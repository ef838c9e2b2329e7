// SPDX-License-Identifier: Apache-2.0
import { ControlPlane } from '@forge/controlplane/api/control-plane.ts';
import { controlPlaneConditions } from '@forge/controlplane/conditions/condition-catalog.ts';
import { systemClock } from '@forge/runtime/environment/clock.ts';
import { instantControllers } from '../harness/instant-controllers.ts';
import { serveNew } from '../harness/serve-new.ts';
import { controlPlaneNeighbours } from './control-plane-neighbours.ts';
import { createControlPlane, prepareControlPlanes } from './create-control-plane.ts';

const { controllers, add } = controlPlaneNeighbours(systemClock, { keystones: 'reconciled' });

await serveNew({
  kind: ControlPlane,
  conditions: controlPlaneConditions,
  prepare: prepareControlPlanes,
  controllers: [...controllers, ...instantControllers()],
  async create(api, number) {
    const ref = { namespace: `cloud-${number}`, name: 'cloud' };
    add(ref);
    await createControlPlane(api, ref);
  },
});
