// SPDX-License-Identifier: Apache-2.0
import type { ResourceClaimSpec } from '@forge/kube/generated/types.ts';
import type {
  ClusterRole,
  CSINode,
  EndpointSlice,
  Event,
  EventsEvent,
  HorizontalPodAutoscaler,
  ResourceClaim,
  ResourceClaimTemplate,
  Role,
} from '@forge/kube/kinds/builtin.ts';
import { defaults } from './defaults.ts';

/** Times never told and lists never made; no type knows of them, since clients are better off without. */
const unset = null as never;

export const showClusterRole = defaults<ClusterRole>({ rules: unset });
export const showEndpointSlice = defaults<EndpointSlice>({ endpoints: unset, ports: unset });
export const showEvent = defaults<Event>({
  firstTimestamp: unset,
  lastTimestamp: unset,
  eventTime: unset,
  reportingComponent: '',
  reportingInstance: '',
});
export const showEventsEvent = defaults<EventsEvent>({
  eventTime: unset,
  deprecatedFirstTimestamp: unset,
  deprecatedLastTimestamp: unset,
});
export const showCSINode = defaults<CSINode>(
  {},
  { spec: (spec) => (spec.drivers.length === 0 ? { ...spec, drivers: unset } : spec) },
);
const showClaimSpec = defaults<ResourceClaimSpec>({}, { devices: defaults({ requests: unset }) });
export const showResourceClaim = defaults<ResourceClaim>({}, { spec: showClaimSpec });
export const showResourceClaimTemplate = defaults<ResourceClaimTemplate>(
  {},
  { spec: defaults({}, { spec: showClaimSpec }) },
);
export const showAutoscaler = defaults<HorizontalPodAutoscaler>(
  {},
  { status: defaults({ desiredReplicas: 0, currentMetrics: unset }) },
);
export const showRole = defaults<Role>({ rules: unset });
