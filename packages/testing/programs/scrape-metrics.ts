// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import type { Client } from '@forge/kube/client/client.ts';
import { ClusterRoleBinding, Pod, Secret, ServiceAccount, type TokenRequest } from '@forge/kube/kinds/builtin.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { systemClock as clock } from '@forge/runtime/environment/clock.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import type { Dial } from '@forge/runtime/http/dial.ts';
import { httpClient } from '@forge/runtime/http/http-client.ts';
import { decoded } from './decoded.ts';

/** The cluster, and the operator that serves metrics there. */
export interface ScrapedCluster {
  client: Client;
  dial: Dial;
  /** Namespace and name of its Deployment. */
  operator: { namespace: string; name: string };
}

interface Page {
  pod: string;
  status: number;
  text: string;
}

const apiGroup = 'rbac.authorization.k8s.io';

/** The responses of the running pods of an operator to a scrape with this token. */
export async function scrapeMetrics({ client, dial, operator }: ScrapedCluster, token?: string): Promise<Page[]> {
  const { namespace, name } = operator;
  const labelSelector = `app.kubernetes.io/name=${name}`;
  const { items: pods } = await client.list(Pod, { namespace, labelSelector });
  const running = pods.filter(({ status }) => status?.podIP !== undefined && status.phase === 'Running');
  const { 'ca.crt': ca = '' } = decoded(await client.get(Secret, { namespace, name: `${name}-metrics-cert` }));
  const http = httpClient({ clock, dial, ca, serverName: `${name}.${namespace}.svc` });
  return await Promise.all(
    running.map(async ({ metadata, status: { podIP } = {} }) => {
      const { status, body } = await http.send({
        method: 'GET',
        url: `https://${podIP}:8080/metrics`,
        headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
        deadline: seconds(10),
        signal: AbortSignal.timeout(10_000),
      });
      return { pod: metadata.name, status, text: body.toString() };
    }),
  );
}

/** A token of a new ServiceAccount in the operator's namespace. */
async function tokenOf({ client, operator: { namespace } }: ScrapedCluster, name: string): Promise<string> {
  const metadata = { namespace, name };
  await client.apply(ServiceAccount, { apiVersion: 'v1', kind: 'ServiceAccount', metadata }, { fieldManager: 'test' });
  const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', metadata, spec: { audiences: [] } };
  const answer = await client.create<KubeObject>(ServiceAccount, request, { subresource: 'token' });
  return (answer as TokenRequest).status?.token ?? '';
}

/** A token with which the metrics of the operator may be read. */
export async function metricsReaderToken(cluster: ScrapedCluster): Promise<string> {
  const { namespace, name } = cluster.operator;
  const reader = `${name}-metrics-reader`;
  const token = await tokenOf(cluster, reader);
  const binding: ClusterRoleBinding = {
    apiVersion: `${apiGroup}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name: reader },
    roleRef: { apiGroup, kind: 'ClusterRole', name: reader },
    subjects: [{ kind: 'ServiceAccount', namespace, name: reader }],
  };
  await cluster.client.apply(ClusterRoleBinding, binding, { fieldManager: 'test' });
  return token;
}

/** Asserts that the operator's pods serve their metrics only to authorized clients. */
export async function checkMetricsAccess(cluster: ScrapedCluster): Promise<void> {
  const statuses = async (token?: string) => new Set((await scrapeMetrics(cluster, token)).map(({ status }) => status));
  assert.deepEqual(await statuses(), new Set([401]));
  assert.deepEqual(await statuses(await tokenOf(cluster, 'metrics-stranger')), new Set([403]));
  const pages = await scrapeMetrics(cluster, await metricsReaderToken(cluster));
  for (const { pod, text } of pages) assert.match(text, /^controller_runtime_reconcile_total\{/m, pod);
}
