// SPDX-License-Identifier: Apache-2.0
import type { Row } from './row.ts';
import { access } from './rows/access.ts';
import { accountTokens } from './rows/account-tokens.ts';
import { apply } from './rows/apply.ts';
import { authentication } from './rows/authentication.ts';
import { authorization } from './rows/authorization.ts';
import { badInput } from './rows/bad-input.ts';
import { cluster } from './rows/cluster.ts';
import { config } from './rows/config.ts';
import { connections } from './rows/connections.ts';
import { containers } from './rows/containers.ts';
import { controllerKinds } from './rows/controller-kinds.ts';
import { customResources } from './rows/custom-resources.ts';
import { definitions } from './rows/definitions.ts';
import { deletion } from './rows/deletion.ts';
import { deviceKinds } from './rows/device-kinds.ts';
import { discovery } from './rows/discovery.ts';
import { encodings } from './rows/encodings.ts';
import { endpoints } from './rows/endpoints.ts';
import { events } from './rows/events.ts';
import { evictions } from './rows/evictions.ts';
import { finerPoints } from './rows/finer-points.ts';
import { inheritedNames } from './rows/inherited-names.ts';
import { jobs } from './rows/jobs.ts';
import { lifecycle } from './rows/lifecycle.ts';
import { lists } from './rows/lists.ts';
import { metadataRows } from './rows/metadata.ts';
import { objects } from './rows/objects.ts';
import { oddRequests } from './rows/odd-requests.ts';
import { patches } from './rows/patches.ts';
import { patterns } from './rows/patterns.ts';
import { podAdmission } from './rows/pod-admission.ts';
import { pods } from './rows/pods.ts';
import { policies } from './rows/policies.ts';
import { protobuf } from './rows/protobuf.ts';
import { redefinitions } from './rows/redefinitions.ts';
import { reviews } from './rows/reviews.ts';
import { rules } from './rows/rules.ts';
import { scales } from './rows/scales.ts';
import { schedules } from './rows/schedules.ts';
import { schemas } from './rows/schemas.ts';
import { servedVersions } from './rows/served-versions.ts';
import { services } from './rows/services.ts';
import { tables } from './rows/tables.ts';
import { versions } from './rows/versions.ts';
import { volumes } from './rows/volumes.ts';
import { warnings } from './rows/warnings.ts';
import { watchOptions } from './rows/watch-options.ts';
import { watches } from './rows/watches.ts';
import { webhookAddresses } from './rows/webhook-addresses.ts';
import { webhookAnswers } from './rows/webhook-answers.ts';
import { webhookDefinitions } from './rows/webhook-definitions.ts';
import { webhookFailures } from './rows/webhook-failures.ts';
import { webhookRequests } from './rows/webhook-requests.ts';
import { webhooks } from './rows/webhooks.ts';
import { workloads } from './rows/workloads.ts';
import { zeros } from './rows/zeros.ts';

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
};
