// SPDX-License-Identifier: Apache-2.0
import { accessBugs } from './bugs/access.ts';
import { admissionBugs } from './bugs/admission.ts';
import { badInputBugs } from './bugs/bad-input.ts';
import { connectionsBugs } from './bugs/connections.ts';
import { differencesBugs } from './bugs/differences.ts';
import { ephemeralContainersBugs } from './bugs/ephemeral-containers.ts';
import { kindsBugs } from './bugs/kinds.ts';
import { machineryBugs } from './bugs/machinery.ts';
import { metadataBugs } from './bugs/metadata.ts';
import { nodesBugs } from './bugs/nodes.ts';
import { oddRequestsBugs } from './bugs/odd-requests.ts';
import { policiesBugs } from './bugs/policies.ts';
import { protobufBugs } from './bugs/protobuf.ts';
import { requestBugs } from './bugs/requests.ts';
import { schedulesBugs } from './bugs/schedules.ts';
import type { SeededBug } from './bugs/seeded-bug.ts';
import { servedVersionsBugs } from './bugs/served-versions.ts';
import { serviceProxiesBugs } from './bugs/service-proxies.ts';
import { tablesBugs } from './bugs/tables.ts';
import { webhooksBugs } from './bugs/webhooks.ts';

/** Seeded bugs, each with a case that must detect it. */
export const seededBugs: readonly SeededBug[] = [
  ...machineryBugs,
  ...differencesBugs,
  ...protobufBugs,
  ...accessBugs,
  ...admissionBugs,
  ...nodesBugs,
  ...webhooksBugs,
  ...policiesBugs,
  ...connectionsBugs,
  ...serviceProxiesBugs,
  ...badInputBugs,
  ...oddRequestsBugs,
  ...schedulesBugs,
  ...tablesBugs,
  ...metadataBugs,
  ...servedVersionsBugs,
  ...requestBugs,
  ...kindsBugs,
  ...ephemeralContainersBugs,
];
