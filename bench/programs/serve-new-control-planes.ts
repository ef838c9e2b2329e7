// SPDX-License-Identifier: Apache-2.0
import { ControlPlane } from '@forge/controlplane/control-plane.ts';
import { systemClock } from '@forge/runtime/time/clock.ts';
import { serveNew } from '../harness/serve-new.ts';
import { controlPlaneNeighbours } from './control-plane-neighbours.ts';
import { createControlPlane, prepareControlPlanes } from './create-control-plane.ts';
import { instantControllers } from './instant-controllers.ts';

const { controllers, add } = controlPlaneNeighbours(systemClock, { keystones: 'reconciled' });

await serveNew({
  kind: ControlPlane,
  prepare: prepareControlPlanes,
  controllers: [...controllers, ...instantControllers()],
  async create(api, number) {
    const ref = { namespace: `cloud-${number}`, name: 'cloud' };
    add(ref);
    await createControlPlane(api, ref);
  },
});
