// SPDX-License-Identifier: Apache-2.0
import { configMaps, things, type Attack, type Attacker } from './attack.ts';

function pipeline(
  status: number,
  name: string,
  path: string,
  more: Partial<Attack> = {},
  by: Attacker = 'nobody',
): Attack {
  return { name: `100 requests at once: ${name}`, by, status, method: 'GET', path, pipelined: 100, ...more };
}

const yaml = { headers: { accept: 'application/yaml' } };
const aggregated = { accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' };

/** Many requests on one connection, each of which is sent before the previous one is answered. */
export const pipelineAttacks: readonly Attack[] = [
  pipeline(403, 'of unknown paths', '/a'),
  pipeline(200, 'of groups', '/apis'),
  pipeline(200, 'of resources', '/apis', { headers: aggregated }),
  pipeline(200, 'of the OpenAPI documents of all groups', '/openapi/v2'),
  pipeline(200, 'of the OpenAPI document of one group', '/openapi/v3/apis/apps/v1'),
  pipeline(403, 'of what the user may not read', '/api/v1/secrets'),
  pipeline(200, 'of a large object', `${configMaps}/crowded`, {}, 'editor'),
  pipeline(200, 'of a large object in YAML', `${configMaps}/crowded`, yaml, 'editor'),
  pipeline(200, 'of large custom resources', things, {}, 'editor'),
  // The server closes the connection.
  { ...pipeline(0, 'and 4,900 more', '/a'), pipelined: 5000 },
];
