// SPDX-License-Identifier: Apache-2.0
import type { Row } from './row.ts';
import { access } from './rows/access.ts';
import { apply } from './rows/apply.ts';
import { cluster } from './rows/cluster.ts';
import { config } from './rows/config.ts';
import { containers } from './rows/containers.ts';
import { customResources } from './rows/custom-resources.ts';
import { definitions } from './rows/definitions.ts';
import { deletion } from './rows/deletion.ts';
import { discovery } from './rows/discovery.ts';
import { jobs } from './rows/jobs.ts';
import { lists } from './rows/lists.ts';
import { objects } from './rows/objects.ts';
import { patches } from './rows/patches.ts';
import { pods } from './rows/pods.ts';
import { policies } from './rows/policies.ts';
import { rules } from './rows/rules.ts';
import { schemas } from './rows/schemas.ts';
import { services } from './rows/services.ts';
import { versions } from './rows/versions.ts';
import { volumes } from './rows/volumes.ts';
import { watchOptions } from './rows/watch-options.ts';
import { watches } from './rows/watches.ts';
import { workloads } from './rows/workloads.ts';

/** All rows, by area; an area is a file of rows and a file of recorded answers, both of its name. */
export const areas: Readonly<Record<string, readonly Row[]>> = {
  access,
  apply,
  cluster,
  config,
  containers,
  'custom-resources': customResources,
  definitions,
  deletion,
  discovery,
  jobs,
  lists,
  objects,
  patches,
  pods,
  policies,
  rules,
  services,
  versions,
  volumes,
  'watch-options': watchOptions,
  schemas,
  watches,
  workloads,
};
