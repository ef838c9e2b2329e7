// SPDX-License-Identifier: Apache-2.0

/** The built-in kinds we carry, by group version; what they refer to comes along. */
export const carriedKinds: Readonly<Record<string, readonly string[]>> = {
  v1: [
    'ConfigMap',
    'Event',
    'Namespace',
    'Node',
    'PersistentVolume',
    'PersistentVolumeClaim',
    'Pod',
    'Secret',
    'Service',
    'ServiceAccount',
  ],
  'apiextensions.k8s.io/v1': ['CustomResourceDefinition'],
  'apps/v1': ['Deployment', 'ReplicaSet', 'StatefulSet'],
  'autoscaling/v2': ['HorizontalPodAutoscaler'],
  'batch/v1': ['CronJob', 'Job'],
  'coordination.k8s.io/v1': ['Lease'],
  'discovery.k8s.io/v1': ['EndpointSlice'],
  'networking.k8s.io/v1': ['NetworkPolicy'],
  'policy/v1': ['PodDisruptionBudget'],
  'rbac.authorization.k8s.io/v1': ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'],
  'scheduling.k8s.io/v1': ['PriorityClass'],
  'storage.k8s.io/v1': ['StorageClass'],
};
