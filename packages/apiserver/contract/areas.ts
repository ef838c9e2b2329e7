// SPDX-License-Identifier: Apache-2.0
import type { Row } from './conversation/row.ts';
import { access } from './rows/access/access.ts';
import { accountTokens } from './rows/access/account-tokens.ts';
import { authentication } from './rows/access/authentication.ts';
import { authorization } from './rows/access/authorization.ts';
import { certificates } from './rows/access/certificates.ts';
import { inheritedNames } from './rows/access/inherited-names.ts';
import { nodeRows } from './rows/access/nodes.ts';
import { podAdmission } from './rows/access/pod-admission.ts';
import { reviews } from './rows/access/reviews.ts';
import { customResources } from './rows/custom-resources/custom-resources.ts';
import { definitions } from './rows/custom-resources/definitions.ts';
import { patterns } from './rows/custom-resources/patterns.ts';
import { redefinitions } from './rows/custom-resources/redefinitions.ts';
import { rules } from './rows/custom-resources/rules.ts';
import { schemas } from './rows/custom-resources/schemas.ts';
import { servedVersions } from './rows/custom-resources/served-versions.ts';
import { versions } from './rows/custom-resources/versions.ts';
import { cluster } from './rows/kinds/cluster.ts';
import { config } from './rows/kinds/config.ts';
import { containers } from './rows/kinds/containers.ts';
import { controllerKinds } from './rows/kinds/controller-kinds.ts';
import { deviceKinds } from './rows/kinds/device-kinds.ts';
import { endpoints } from './rows/kinds/endpoints.ts';
import { ephemeralContainers } from './rows/kinds/ephemeral-containers.ts';
import { events } from './rows/kinds/events.ts';
import { evictions } from './rows/kinds/evictions.ts';
import { jobs } from './rows/kinds/jobs.ts';
import { pods } from './rows/kinds/pods.ts';
import { policies } from './rows/kinds/policies.ts';
import { scales } from './rows/kinds/scales.ts';
import { schedules } from './rows/kinds/schedules.ts';
import { services } from './rows/kinds/services.ts';
import { volumes } from './rows/kinds/volumes.ts';
import { workloads } from './rows/kinds/workloads.ts';
import { zeros } from './rows/kinds/zeros.ts';
import { apply } from './rows/requests/apply.ts';
import { badInput } from './rows/requests/bad-input.ts';
import { connections } from './rows/requests/connections.ts';
import { deletion } from './rows/requests/deletion.ts';
import { discovery } from './rows/requests/discovery.ts';
import { encodings } from './rows/requests/encodings.ts';
import { finerPoints } from './rows/requests/finer-points.ts';
import { lifecycle } from './rows/requests/lifecycle.ts';
import { lists } from './rows/requests/lists.ts';
import { metadataRows } from './rows/requests/metadata.ts';
import { objects } from './rows/requests/objects.ts';
import { oddRequests } from './rows/requests/odd-requests.ts';
import { patches } from './rows/requests/patches.ts';
import { protobuf } from './rows/requests/protobuf.ts';
import { serviceProxies } from './rows/requests/service-proxies.ts';
import { tables } from './rows/requests/tables.ts';
import { warnings } from './rows/requests/warnings.ts';
import { watchOptions } from './rows/requests/watch-options.ts';
import { watches } from './rows/requests/watches.ts';
import { webhookAddresses } from './rows/webhooks/webhook-addresses.ts';
import { webhookAnswers } from './rows/webhooks/webhook-answers.ts';
import { webhookDefinitions } from './rows/webhooks/webhook-definitions.ts';
import { webhookFailures } from './rows/webhooks/webhook-failures.ts';
import { webhookRequests } from './rows/webhooks/webhook-requests.ts';
import { webhooks } from './rows/webhooks/webhooks.ts';

/** All rows by area; an area has a file of rows and a file of recorded answers with its name. */
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
  lifecycle,
  lists,
  objects,
  patches,
  pods,
  policies,
  protobuf,
  rules,
  services,
  versions,
  volumes,
  'watch-options': watchOptions,
  schemas,
  watches,
  workloads,
  authentication,
  'account-tokens': accountTokens,
  authorization,
  reviews,
  'ephemeral-containers': ephemeralContainers,
  evictions,
  webhooks,
  'webhook-addresses': webhookAddresses,
  'webhook-answers': webhookAnswers,
  'webhook-definitions': webhookDefinitions,
  'webhook-failures': webhookFailures,
  'webhook-requests': webhookRequests,
  'pod-admission': podAdmission,
  'bad-input': badInput,
  'finer-points': finerPoints,
  redefinitions,
  scales,
  zeros,
  warnings,
  connections,
  'odd-requests': oddRequests,
  schedules,
  metadata: metadataRows,
  'served-versions': servedVersions,
  tables,
  patterns,
  'inherited-names': inheritedNames,
  encodings,
  endpoints,
  events,
  'controller-kinds': controllerKinds,
  'device-kinds': deviceKinds,
  'service-proxies': serviceProxies,
  certificates,
  nodes: nodeRows,
};
