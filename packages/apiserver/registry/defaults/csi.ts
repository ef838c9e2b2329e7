// SPDX-License-Identifier: Apache-2.0
import type { CSIDriver, CSINode } from '@forge/kube/kinds/builtin.ts';
import { defaults, unset } from './defaults.ts';

/** Defaults of CSI drivers. */
export const defaultCSIDriver = defaults<CSIDriver>(
  {},
  {
    spec: defaults({
      attachRequired: true,
      podInfoOnMount: false,
      storageCapacity: false,
      fsGroupPolicy: 'ReadWriteOnceWithFSType',
      volumeLifecycleModes: ['Persistent'],
      requiresRepublish: false,
      seLinuxMount: false,
    }),
  },
);

export const fillCSINode = defaults<CSINode>(
  {},
  { spec: (spec) => (spec.drivers.length === 0 ? { ...spec, drivers: unset } : spec) },
);
