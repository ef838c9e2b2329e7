// SPDX-License-Identifier: Apache-2.0

/** A feature that the API server accepts, and its effect in the local cluster. */
export interface Unenforced {
  feature: string;
  effect: string;
}

/** Features that the local cluster accepts and does not enforce, most important first. */
export const notEnforced: readonly Unenforced[] = [
  {
    feature: 'resources of containers',
    effect: 'limits need root or a delegated cgroup, as the log says; requests are not scheduled by',
  },
  {
    feature: 'seLinuxOptions, appArmorProfile',
    effect: 'not applied; containers have no capabilities, and the seccomp filter RuntimeDefault',
  },
  { feature: 'capabilities.add, privileged, host namespaces', effect: 'never granted' },
  { feature: 'affinity, tolerations, topologySpreadConstraints', effect: 'the scheduler uses nodeSelector only' },
  { feature: 'priority of pods', effect: 'no pod is preempted' },
  {
    feature: 'HorizontalPodAutoscaler',
    effect: 'replicas are kept within the limits; there are no metrics to scale by',
  },
  { feature: 'Service of type LoadBalancer or NodePort', effect: 'reachable inside the cluster only' },
  { feature: 'Ingress', effect: 'nothing is routed; an Event on the object says so' },
  { feature: 'audit annotations of admission policies', effect: 'evaluated, and not kept: there is no audit log' },
  { feature: 'DaemonSet', effect: 'no pods; an Event on the object says so' },
  { feature: 'ResourceQuota', effect: 'not counted' },
  {
    feature: 'galera, replication of a MariaDB',
    effect: 'not configured: clients reach the first server, others are idle',
  },
  {
    feature: 'emptyDir',
    effect:
      'always in memory, whatever its medium: those of a pod and the writable layers of its containers share a quarter of it; their content is lost when forge stops',
  },
  {
    feature: 'StorageClass',
    effect:
      'every volume is a folder of the data folder; its size is not limited. Any class will do, unless there are StorageClasses',
  },
];

/** Features that it also does not enforce when the kernel has no nftables, which a condition of the node reports. */
export const notEnforcedWithoutNftables: readonly Unenforced[] = [
  { feature: 'NetworkPolicy, without nftables', effect: 'every pod reaches every pod and Service' },
  { feature: 'UDP and SCTP of Services, without nftables', effect: 'not forwarded: only pods are reachable by them' },
];

/** Built-in kinds that can be stored and read, and on which nothing acts. */
export const inertKinds: readonly string[] = [
  'ReplicationController',
  'ResourceQuota',
  'CertificateSigningRequest',
  'IPAddress',
  'ServiceCIDR',
  'DeviceClass',
  'ResourceClaim',
  'ResourceClaimTemplate',
  'ResourceSlice',
  'CSIDriver',
  'CSINode',
  'VolumeAttachment',
  'VolumeAttributesClass',
];

/** The sources of volumes that the node supports; with another source, a pod waits, and an Event reports it. */
export const volumeSources: readonly string[] = [
  'configMap',
  'downwardAPI',
  'emptyDir',
  'persistentVolumeClaim',
  'projected',
  'secret',
];

/** Fields by their type, in which any valid value is accepted and has no effect. */
export const ignoredFields: Readonly<Record<string, readonly string[]>> = {
  PodSpec: [
    'activeDeadlineSeconds',
    'affinity',
    'dnsConfig',
    'dnsPolicy',
    'hostIPC',
    'hostNetwork',
    'hostPID',
    'hostUsers',
    'hostnameOverride',
    'imagePullSecrets',
    'os',
    'overhead',
    'preemptionPolicy',
    'readinessGates',
    'resourceClaims',
    'resources',
    'runtimeClassName',
    'schedulingGates',
    'schedulingGroup',
    'setHostnameAsFQDN',
    'shareProcessNamespace',
    'tolerations',
    'topologySpreadConstraints',
  ],
  Container: ['imagePullPolicy', 'resizePolicy', 'restartPolicyRules', 'volumeDevices'],
  PodSecurityContext: [
    'appArmorProfile',
    'fsGroupChangePolicy',
    'seLinuxChangePolicy',
    'seLinuxOptions',
    'supplementalGroups',
    'supplementalGroupsPolicy',
    'sysctls',
    'windowsOptions',
  ],
  SecurityContext: [
    'allowPrivilegeEscalation',
    'appArmorProfile',
    'capabilities',
    'privileged',
    'procMount',
    'seLinuxOptions',
    'windowsOptions',
  ],
  JobSpec: [
    'backoffLimitPerIndex',
    'completionMode',
    'manualSelector',
    'maxFailedIndexes',
    'podFailurePolicy',
    'successPolicy',
  ],
  StatefulSetSpec: [],
  // As in Kubernetes, unless its feature gate MaxUnavailableStatefulSet is enabled.
  RollingUpdateStatefulSetStrategy: ['maxUnavailable'],
  ServiceSpec: [
    'allocateLoadBalancerNodePorts',
    'externalIPs',
    'externalName',
    'externalTrafficPolicy',
    'healthCheckNodePort',
    'internalTrafficPolicy',
    'loadBalancerClass',
    'loadBalancerIP',
    'loadBalancerSourceRanges',
    'sessionAffinity',
    'sessionAffinityConfig',
    'trafficDistribution',
  ],
};

/** Fields that no controller and no node reads, because the API server handles them. */
export const serverFields: Readonly<Record<string, readonly string[]>> = {
  PodSpec: ['automountServiceAccountToken', 'priorityClassName', 'serviceAccount'],
  ServiceSpec: ['clusterIPs', 'ipFamilies', 'ipFamilyPolicy'],
};
