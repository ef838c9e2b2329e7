// SPDX-License-Identifier: Apache-2.0
import { deployments, filled, namespace, numbered, post, size, storedSize, type Attack } from './attack.ts';

function workload(kind: string, apiVersion: string, spec: () => string): () => string {
  return () => `{"kind":"${kind}","apiVersion":"${apiVersion}","metadata":{"generateName":"a"},"spec":{${spec()}}}`;
}

const pods = `${namespace}/pods`;
const quotas = `${namespace}/resourcequotas`;
const cronJobs = '/apis/batch/v1/namespaces/default/cronjobs';

/** Specs of built-in kinds. */
export const specAttacks: readonly Attack[] = [
  post(
    422,
    'a schedule',
    workload('CronJob', 'batch/v1', () => `"schedule":"${filled('1,', 800_000)}1 * * * *","jobTemplate":{}`),
    cronJobs,
    'editor',
  ),
  post(
    422,
    'a schedule of ranges',
    workload('CronJob', 'batch/v1', () => `"schedule":"${filled('0-59/1,', storedSize)}1 * * * *","jobTemplate":{}`),
    cronJobs,
    'editor',
  ),
  post(
    422,
    'a schedule of spaces',
    workload('CronJob', 'batch/v1', () => `"schedule":"${filled(' ', storedSize)}","jobTemplate":{}`),
    cronJobs,
    'editor',
  ),
  post(
    422,
    'a time zone',
    workload(
      'CronJob',
      'batch/v1',
      () => `"timeZone":"${filled('a/', storedSize)}","schedule":"* * * * *","jobTemplate":{}`,
    ),
    cronJobs,
    'editor',
  ),
  post(
    201,
    'containers',
    workload(
      'Pod',
      'v1',
      () => `"containers":[${numbered((index) => `{"name":"a${index}","image":"b"}`, ',', 300_000)}]`,
    ),
    pods,
    'editor',
  ),
  post(
    422,
    'empty containers',
    workload('Pod', 'v1', () => `"containers":[${numbered(() => '{}', ',', 20_000)}]`),
    pods,
    'editor',
  ),
  post(
    201,
    'variables',
    workload(
      'Pod',
      'v1',
      () => `"containers":[{"name":"a","image":"b","env":[${numbered((index) => `{"name":"A${index}"}`)}]}]`,
    ),
    pods,
    'editor',
  ),
  post(
    422,
    'variables without a name',
    workload('Pod', 'v1', () => `"containers":[{"name":"a","image":"b","env":[${numbered(() => '{}')}]}]`),
    pods,
    'editor',
  ),
  post(
    201,
    'equal ports',
    workload(
      'Pod',
      'v1',
      () => `"containers":[{"name":"a","image":"b","ports":[${numbered(() => '{"containerPort":80,"hostPort":80}')}]}]`,
    ),
    pods,
    'editor',
  ),
  post(
    422,
    'mounts',
    workload(
      'Pod',
      'v1',
      () =>
        `"containers":[{"name":"a","image":"b","volumeMounts":[${numbered((index) => `{"name":"a","mountPath":"/${index}"}`)}]}]`,
    ),
    pods,
    'editor',
  ),
  post(
    201,
    'volumes',
    workload(
      'Pod',
      'v1',
      () => `"containers":[{"name":"a","image":"b"}],"volumes":[${numbered((index) => `{"name":"a${index}"}`)}]`,
    ),
    pods,
    'editor',
  ),
  post(
    422,
    'volumes of every source',
    workload(
      'Pod',
      'v1',
      () =>
        `"containers":[{"name":"a","image":"b"}],"volumes":[${numbered((index) => `{"name":"a${index}","hostPath":{},"secret":{},"nfs":{}}`, ',', 400_000)}]`,
    ),
    pods,
    'editor',
  ),
  post(
    201,
    'tolerations',
    workload(
      'Pod',
      'v1',
      () =>
        `"containers":[{"name":"a","image":"b"}],"tolerations":[${numbered((index) => `{"key":"a${index}","operator":"Exists"}`)}]`,
    ),
    pods,
    'editor',
  ),
  post(
    201,
    'affinity terms',
    workload(
      'Pod',
      'v1',
      () =>
        `"containers":[{"name":"a","image":"b"}],"affinity":{"podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[${numbered(() => '{"topologyKey":"a","labelSelector":{"matchExpressions":[{"key":"a","operator":"?"}]}}')}]}}`,
    ),
    pods,
    'editor',
  ),
  post(
    201,
    'host aliases',
    workload(
      'Pod',
      'v1',
      () =>
        `"containers":[{"name":"a","image":"b"}],"hostAliases":[${numbered((index) => `{"ip":"1.1.1.1","hostnames":["-${index}"]}`)}]`,
    ),
    pods,
    'editor',
  ),
  post(
    422,
    'limits',
    workload(
      'Pod',
      'v1',
      () =>
        `"containers":[{"name":"a","image":"b","resources":{"limits":{${numbered((index) => `"a${index}":"1"`)}}}}]`,
    ),
    pods,
    'editor',
  ),
  post(
    400,
    'long quantities',
    workload(
      'Pod',
      'v1',
      () => `"containers":[{"name":"a","image":"b","resources":{"limits":{"cpu":"${filled('1', storedSize)}"}}}]`,
    ),
    pods,
    'editor',
  ),
  post(
    400,
    'quantities with a large exponent',
    workload(
      'Pod',
      'v1',
      () =>
        `"containers":[{"name":"a","image":"b","resources":{"limits":{${numbered((index) => `"a${index}":"1e999999999"`)}}}}]`,
    ),
    pods,
    'editor',
  ),
  post(
    422,
    'a selector',
    workload(
      'Deployment',
      'apps/v1',
      () =>
        `"selector":{"matchExpressions":[{"key":"a","operator":"In","values":[${numbered((index) => `"${index}"`)}]}]},"template":{"metadata":{"labels":{"a":"1"}},"spec":{"containers":[{"name":"a","image":"b"}]}}`,
    ),
    deployments,
    'editor',
  ),
  post(
    422,
    'selectors',
    workload(
      'Deployment',
      'apps/v1',
      () =>
        `"selector":{"matchLabels":{${numbered((index) => `"a${index}":"a"`, ',', size / 2)}}},"template":{"metadata":{"labels":{${numbered((index) => `"a${index}":"a"`, ',', size / 2 - 2000)}}},"spec":{"containers":[{"name":"a","image":"b"}]}}`,
    ),
    deployments,
    'editor',
  ),
  post(
    201,
    'ports of a Service',
    workload(
      'Service',
      'v1',
      () => `"ports":[${numbered((index) => `{"name":"a${index}","port":${1 + (index % 65_000)}}`)}]`,
    ),
    `${namespace}/services`,
    'editor',
  ),
  post(
    422,
    'addresses of a Service',
    workload(
      'Service',
      'v1',
      () =>
        `"ports":[{"port":1}],"externalIPs":[${numbered((index) => `"1.1.${index % 9}.300"`)}],"loadBalancerSourceRanges":[]`,
    ),
    `${namespace}/services`,
    'editor',
  ),
  post(
    422,
    'rules of a NetworkPolicy',
    workload(
      'NetworkPolicy',
      'networking.k8s.io/v1',
      () =>
        `"podSelector":{},"ingress":[${numbered((index) => `{"from":[{"ipBlock":{"cidr":"10.0.0.0/${index}"}}]}`)}]`,
    ),
    '/apis/networking.k8s.io/v1/namespaces/default/networkpolicies',
    'editor',
  ),
  post(
    422,
    'usages of a certificate request',
    () =>
      `{"kind":"CertificateSigningRequest","apiVersion":"certificates.k8s.io/v1","metadata":{"generateName":"a"},"spec":{"request":"","signerName":"a.example.com/b","usages":[${numbered((index) => `"a${index}"`)}]}}`,
    '/apis/certificates.k8s.io/v1/certificatesigningrequests',
    'requester',
  ),
  post(
    422,
    'equal usages of a certificate request',
    () =>
      `{"kind":"CertificateSigningRequest","apiVersion":"certificates.k8s.io/v1","metadata":{"generateName":"a"},"spec":{"request":"","signerName":"a.example.com/b","usages":[${numbered(() => '"signing"')}]}}`,
    '/apis/certificates.k8s.io/v1/certificatesigningrequests',
    'requester',
  ),
  post(
    422,
    'endpoints',
    () =>
      `{"kind":"EndpointSlice","apiVersion":"discovery.k8s.io/v1","metadata":{"generateName":"a"},"addressType":"IPv4","endpoints":[${numbered((index) => `{"addresses":["1.1.1.${index}"]}`)}]}`,
    '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices',
    'editor',
  ),
  post(
    403,
    'rules of a role',
    () =>
      `{"kind":"Role","apiVersion":"rbac.authorization.k8s.io/v1","metadata":{"generateName":"a"},"rules":[${numbered(() => '{"apiGroups":["a"],"resources":["b"],"verbs":["get"]}')}]}`,
    '/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles',
    'editor',
  ),
  post(
    403,
    'one large rule of a role',
    () =>
      `{"kind":"Role","apiVersion":"rbac.authorization.k8s.io/v1","metadata":{"generateName":"a"},"rules":[{"apiGroups":[${numbered((index) => `"g${index}"`, ',', size / 3 - 500)}],"resources":[${numbered((index) => `"r${index}"`, ',', size / 3 - 500)}],"verbs":[${numbered((index) => `"v${index}"`, ',', size / 3 - 500)}]}]}`,
    '/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles',
    'editor',
  ),
  post(
    422,
    'subjects of a binding',
    () =>
      `{"kind":"RoleBinding","apiVersion":"rbac.authorization.k8s.io/v1","metadata":{"generateName":"a"},"roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"view"},"subjects":[${numbered(() => '{}')}]}`,
    '/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings',
    'editor',
  ),
  post(
    422,
    'scopes of a quota',
    () =>
      `{"apiVersion":"v1","kind":"ResourceQuota","metadata":{"name":"a"},"spec":{"scopes":[${numbered((index) => `"a${index}"`)}]}}`,
    quotas,
    'editor',
  ),
  post(
    422,
    'one scope of a quota, and its resources',
    () =>
      `{"apiVersion":"v1","kind":"ResourceQuota","metadata":{"name":"a"},"spec":{"scopes":[${numbered(() => '"BestEffort"')}],"hard":{${numbered((index) => `"a${index}":1`)}}}}`,
    quotas,
    'editor',
  ),
];
