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

/** Unset times and lists, serialized as null; the types do not allow null, since clients should not send it. */
const unset = null as never;

export const fillClusterRole = defaults<ClusterRole>({ rules: unset });
export const fillEndpointSlice = defaults<EndpointSlice>({ endpoints: unset, ports: unset });
export const fillEvent = defaults<Event>({
  firstTimestamp: unset,
  lastTimestamp: unset,
  eventTime: unset,
  reportingComponent: '',
  reportingInstance: '',
});
export const fillEventsEvent = defaults<EventsEvent>({
  eventTime: unset,
  deprecatedFirstTimestamp: unset,
  deprecatedLastTimestamp: unset,
});
export const fillCSINode = defaults<CSINode>(
  {},
  { spec: (spec) => (spec.drivers.length === 0 ? { ...spec, drivers: unset } : spec) },
);
const showClaimSpec = defaults<ResourceClaimSpec>({}, { devices: defaults({ requests: unset }) });
export const fillResourceClaim = defaults<ResourceClaim>({}, { spec: showClaimSpec });
export const fillResourceClaimTemplate = defaults<ResourceClaimTemplate>(
  {},
  { spec: defaults({}, { spec: showClaimSpec }) },
);
export const fillAutoscaler = defaults<HorizontalPodAutoscaler>(
  {},
  { status: defaults({ desiredReplicas: 0, currentMetrics: unset }) },
);
export const fillRole = defaults<Role>({ rules: unset });
