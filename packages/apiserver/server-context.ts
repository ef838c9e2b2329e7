// SPDX-License-Identifier: Apache-2.0
import type { NodeConnector } from './node-connector.ts';
import type { ResourceRegistry } from './resource-registry.ts';
import type { Surroundings } from './surroundings.ts';

/** What every part of the server works with. */
export interface ServerContext extends Surroundings {
  readonly resources: ResourceRegistry;
  readonly nodes: NodeConnector | undefined;
}
