// SPDX-License-Identifier: Apache-2.0
import { kubernetesVersion } from '@forge/kube/kinds/kubernetes-version.ts';
import { accepted, allEncodings, type Offer } from '../messages/negotiate.ts';
import { jsonPayload } from '../messages/payload.ts';
import type { ServerRequest, ServerResponse } from '../messages/server-request.ts';
import { methodNotAllowed } from '../messages/status-errors.ts';
import type { ServerContext } from '../request/server-context.ts';
import { aggregatedDiscovery } from './aggregated-discovery.ts';
import { apiGroups, coreVersions, apiGroup, resourceList } from './api-groups.ts';
import { openApiV2 } from './openapi-v2.ts';
import { openApiDocument, openApiIndex } from './openapi.ts';

/** The Kubernetes version whose API this server implements. */
const version = {
  major: '1',
  minor: '36',
  emulationMajor: '1',
  emulationMinor: '36',
  minCompatibilityMajor: '1',
  minCompatibilityMinor: '35',
  gitVersion: `${kubernetesVersion}+forge`,
  gitCommit: '',
  gitTreeState: 'clean',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: '',
  compiler: '',
  platform: 'linux/amd64',
};

/** Serves version, metrics, discovery and OpenAPI; undefined for other paths. */
export function discover(server: ServerContext, request: ServerRequest): ServerResponse | undefined {
  if (isResourcePath.test(request.path)) return undefined;
  const document = documentOf(server, request);
  if (document !== undefined && request.method !== 'GET' && isReadOnlyPath.test(request.path)) throw methodNotAllowed();
  return document;
}

function documentOf(server: ServerContext, request: ServerRequest): ServerResponse | undefined {
  const { resources, metrics, store } = server;
  const { path, headers } = request;
  const all = resources.all();
  switch (path) {
    case '/metrics':
      return {
        status: 200,
        text: metrics.text(store, resources),
        contentType: 'text/plain; version=0.0.4; charset=utf-8',
      };
    case '/version':
    case '/version/':
      return json(version);
    case '/api':
    case '/api/':
    case '/apis':
    case '/apis/': {
      const isCore = path.startsWith('/api') && !path.startsWith('/apis');
      const { form, encoding } = accepted(headers['accept'], aggregated);
      if (form === undefined) return json(isCore ? coreVersions : apiGroups(all));
      const document = json(aggregatedDiscovery(all, isCore));
      return encoding === 'json' ? { ...document, contentType: aggregatedType } : document;
    }
    case '/openapi/v2':
      return openApiV2(headers['accept'], all);
    case '/openapi/v3':
      return { status: 200, payload: openApiIndex(all), contentType: 'application/json' };
    default:
      return discoverBelow(path, all);
  }
}

/** Paths of resources: most requests. */
const isResourcePath = /^\/api(?:\/[^/]+|s(?:\/[^/]+){2})\/[^/]/;

/** Other paths accept any method. */
const isReadOnlyPath = /^\/(?:version|api(?:\/[^/]+)?|apis\/[^/]+\/[^/]+)\/?$/;

function discoverBelow(path: string, all: Parameters<typeof apiGroups>[0]): ServerResponse | undefined {
  const [root, ...parts] = path.replace(/\/$/, '').split('/').slice(1);
  if (root === 'openapi' && parts[0] === 'v3') {
    const payload = openApiDocument(all, parts.slice(1).join('/'));
    return payload && { status: 200, payload, contentType: 'application/json' };
  }
  if (root === 'api' && parts.length === 1) return found(resourceList(all, '', parts[0] ?? ''));
  if (root !== 'apis') return undefined;
  if (parts.length === 1) return found(apiGroup(all, parts[0] ?? ''));
  return parts.length === 2 ? found(resourceList(all, parts[0] ?? '', parts[1] ?? '')) : undefined;
}

const aggregatedType = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const aggregated: Offer = {
  apiVersion: 'apidiscovery.k8s.io/v2',
  forms: ['APIGroupDiscoveryList'],
  encodings: (form) => (form === undefined ? allEncodings : ['json', 'protobuf']),
};

function found(value: object | undefined): ServerResponse | undefined {
  return value === undefined ? undefined : json(value);
}

function json(value: object): ServerResponse {
  return { status: 200, payload: jsonPayload(value) };
}
