// SPDX-License-Identifier: Apache-2.0
import type {
  DownwardAPIVolumeFile,
  ObjectFieldSelector,
  Volume,
  VolumeProjection,
} from '@forge/kube/generated/types.ts';
import { defaults, eachItem, chain, type Defaults } from './defaults.ts';

/** Defaults of field references: apiVersion v1. */
export const defaultFieldRef = defaults<ObjectFieldSelector>({ apiVersion: 'v1' });

const readableByAll = { defaultMode: 0o644 };
const downwardItems = eachItem<DownwardAPIVolumeFile>(defaults({}, { fieldRef: defaultFieldRef }));

const projections = eachItem<VolumeProjection>(
  defaults(
    {},
    {
      serviceAccountToken: defaults({ expirationSeconds: 3600 }),
      downwardAPI: defaults({}, { items: downwardItems }),
    },
  ),
);

/** Defaults of volumes: emptyDir, and file mode 0644. */
export const defaultVolume: Defaults<Volume> = chain<Volume>(
  (volume) => (Object.keys(volume).length === 1 ? { ...volume, emptyDir: {} } : volume),
  defaults(
    {},
    {
      configMap: defaults(readableByAll),
      secret: defaults(readableByAll),
      downwardAPI: defaults(readableByAll, { items: downwardItems }),
      projected: defaults(readableByAll, { sources: projections }),
      hostPath: defaults({ type: '' }),
    },
  ),
);
