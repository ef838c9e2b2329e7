// SPDX-License-Identifier: Apache-2.0
import { access } from './cases/access/access.ts';
import { accountTokens } from './cases/access/account-tokens.ts';
import { authentication } from './cases/access/authentication.ts';
import { authorization } from './cases/access/authorization.ts';
import { certificates } from './cases/access/certificates.ts';
import { inheritedNames } from './cases/access/inherited-names.ts';
import { nodeCases } from './cases/access/nodes.ts';
import { podAdmission } from './cases/access/pod-admission.ts';
import { reviews } from './cases/access/reviews.ts';
import { customResources } from './cases/custom-resources/custom-resources.ts';
import { definitions } from './cases/custom-resources/definitions.ts';
import { patterns } from './cases/custom-resources/patterns.ts';
import { redefinitions } from './cases/custom-resources/redefinitions.ts';
import { rules } from './cases/custom-resources/rules.ts';
import { schemas } from './cases/custom-resources/schemas.ts';
import { servedVersions } from './cases/custom-resources/served-versions.ts';
import { versions } from './cases/custom-resources/versions.ts';
import { cluster } from './cases/kinds/cluster.ts';
import { config } from './cases/kinds/config.ts';
import { containers } from './cases/kinds/containers.ts';
import { controllerKinds } from './cases/kinds/controller-kinds.ts';
import { deviceKinds } from './cases/kinds/device-kinds.ts';
import { endpoints } from './cases/kinds/endpoints.ts';
import { ephemeralContainers } from './cases/kinds/ephemeral-containers.ts';
import { events } from './cases/kinds/events.ts';
import { evictions } from './cases/kinds/evictions.ts';
import { ingressCases } from './cases/kinds/ingresses.ts';
import { jobs } from './cases/kinds/jobs.ts';
import { pods } from './cases/kinds/pods.ts';
import { policies } from './cases/kinds/policies.ts';
import { scales } from './cases/kinds/scales.ts';
import { schedules } from './cases/kinds/schedules.ts';
import { services } from './cases/kinds/services.ts';
import { volumes } from './cases/kinds/volumes.ts';
import { workloads } from './cases/kinds/workloads.ts';
import { zeros } from './cases/kinds/zeros.ts';
import { policyDecisions } from './cases/policies/policy-decisions.ts';
import { policyDefinitions } from './cases/policies/policy-definitions.ts';
import { policyMatching } from './cases/policies/policy-matching.ts';
import { policyParams } from './cases/policies/policy-params.ts';
import { apply } from './cases/requests/apply.ts';
import { badInput } from './cases/requests/bad-input.ts';
import { connections } from './cases/requests/connections.ts';
import { deletion } from './cases/requests/deletion.ts';
import { discovery } from './cases/requests/discovery.ts';
import { encodings } from './cases/requests/encodings.ts';
import { finerPoints } from './cases/requests/finer-points.ts';
import { lifecycle } from './cases/requests/lifecycle.ts';
import { lists } from './cases/requests/lists.ts';
import { metadataCases } from './cases/requests/metadata.ts';
import { objects } from './cases/requests/objects.ts';
import { oddRequests } from './cases/requests/odd-requests.ts';
import { patches } from './cases/requests/patches.ts';
import { protobuf } from './cases/requests/protobuf.ts';
import { serviceProxies } from './cases/requests/service-proxies.ts';
import { tables } from './cases/requests/tables.ts';
import { warnings } from './cases/requests/warnings.ts';
import { watchOptions } from './cases/requests/watch-options.ts';
import { watches } from './cases/requests/watches.ts';
import { webhookAddresses } from './cases/webhooks/webhook-addresses.ts';
import { webhookAnswers } from './cases/webhooks/webhook-answers.ts';
import { webhookDefinitions } from './cases/webhooks/webhook-definitions.ts';
import { webhookFailures } from './cases/webhooks/webhook-failures.ts';
import { webhookRequests } from './cases/webhooks/webhook-requests.ts';
import { webhooks } from './cases/webhooks/webhooks.ts';
import type { ConformanceCase } from './conversation/conformance-case.ts';

/** All cases by area; an area has a file of cases and a file of recorded answers with its name. */
export const areas: Readonly<Record<string, readonly ConformanceCase[]>> = {
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
  metadata: metadataCases,
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
  nodes: nodeCases,
  ingresses: ingressCases,
  'policy-decisions': policyDecisions,
  'policy-definitions': policyDefinitions,
  'policy-matching': policyMatching,
  'policy-params': policyParams,
};
