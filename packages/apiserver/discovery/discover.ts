// SPDX-License-Identifier: Apache-2.0
import { kubernetesVersion } from '@forge/kube/kubernetes-version.ts';
import { acceptedForm } from '../negotiate.ts';
import { jsonPayload } from '../payload.ts';
import { methodNotAllowed } from '../refusal.ts';
import type { ServerContext } from '../server-context.ts';
import type { ServerRequest, ServerResponse } from '../server-request.ts';
import { aggregatedDiscovery } from './aggregated-discovery.ts';
import { apiGroups, coreVersions, groupOf, resourceList } from './api-groups.ts';
import { openApiV2 } from './openapi-v2.ts';
import { openApiDocument, openApiIndex } from './openapi.ts';

/** The release whose API this server follows. */
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

/** Answers what the server tells about itself; undefined when the path is about something else. */
export function discover(server: ServerContext, request: ServerRequest): ServerResponse | undefined {
  if (isAboutObjects.test(request.path)) return undefined;
  const told = tell(server, request);
  if (told !== undefined && request.method !== 'GET' && isOnlyRead.test(request.path)) throw methodNotAllowed();
  return told;
}

function tell({ resources }: ServerContext, { path, headers }: ServerRequest): ServerResponse | undefined {
  const all = resources.all();
  switch (path) {
    case '/version':
      return json(version);
    case '/api':
    case '/apis':
      if (acceptedForm(headers['accept'], aggregated) !== undefined) {
        const contentType = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
        return { ...json(aggregatedDiscovery(all, path === '/api')), contentType };
      }
      return json(path === '/api' ? coreVersions : apiGroups(all));
    case '/openapi/v2':
      return openApiV2(headers['accept']);
    case '/openapi/v3':
      return json(openApiIndex(all));
    default:
      return discoverBelow(path, all);
  }
}

/** Paths below those of groups and versions: most of what is asked. */
const isAboutObjects = /^\/api(?:\/[^/]+|s(?:\/[^/]+){2})\/[^/]/;

/** Other paths answer whatever the method. */
const isOnlyRead = /^\/(?:version|api(?:\/[^/]+)?|apis\/[^/]+\/[^/]+)\/?$/;

function discoverBelow(path: string, all: Parameters<typeof apiGroups>[0]): ServerResponse | undefined {
  const [root, ...parts] = path.replace(/\/$/, '').split('/').slice(1);
  if (root === 'openapi' && parts[0] === 'v3') return found(openApiDocument(all, parts.slice(1).join('/')));
  if (root === 'api' && parts.length === 1) return found(resourceList(all, '', parts[0] ?? ''));
  if (root !== 'apis') return undefined;
  if (parts.length === 1) return found(groupOf(all, parts[0] ?? ''));
  return parts.length === 2 ? found(resourceList(all, parts[0] ?? '', parts[1] ?? '')) : undefined;
}

const aggregated = { apiVersion: 'apidiscovery.k8s.io/v2', forms: ['APIGroupDiscoveryList'] };

function found(value: object | undefined): ServerResponse | undefined {
  return value === undefined ? undefined : json(value);
}

function json(value: object): ServerResponse {
  return { status: 200, payload: jsonPayload(value) };
}
