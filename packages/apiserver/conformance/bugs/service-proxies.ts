// SPDX-License-Identifier: Apache-2.0
import type { SeededBug } from './seeded-bug.ts';

/** Bugs of requests to Services through the API server. */
export const serviceProxiesBugs: readonly SeededBug[] = [
  {
    name: 'addresses that are not pods are proxied to',
    caughtBy: 'only pods of the namespace with that address are proxied to',
    file: 'apiserver/subresources/service-endpoint.ts',
    find: 'if (targetRef === undefined || targetRef.namespace !== namespace) return false;',
    replace: 'if (targetRef === undefined || targetRef.namespace !== namespace) return true;',
  },
  {
    name: 'a pod is proxied to at any address',
    caughtBy: 'only pods of the namespace with that address are proxied to',
    file: 'apiserver/subresources/service-endpoint.ts',
    find: '((each) => each.ip === ip) === true',
    replace: '((each) => each.ip !== undefined) === true || ip !== undefined',
  },
  {
    name: 'the number of a port is taken for its name',
    caughtBy: 'requests to a Service are forwarded with method, path, query, headers and body',
    file: 'apiserver/subresources/service-endpoint.ts',
    find: "return found.name ?? '';",
    replace: 'return port;',
  },
  {
    name: "the caller's credentials are forwarded",
    caughtBy: 'requests to a Service are forwarded with method, path, query, headers and body',
    file: 'apiserver/subresources/proxy-headers.ts',
    find: "name === 'authorization' || ",
    replace: '',
  },
  {
    name: 'impersonation headers are forwarded',
    caughtBy: 'requests to a Service are forwarded with method, path, query, headers and body',
    file: 'apiserver/subresources/proxy-headers.ts',
    find: " || name.startsWith('impersonate-')",
    replace: '',
  },
  {
    name: 'dots in the path leave the Service',
    caughtBy: 'the path of a request to a Service is forwarded decoded once',
    file: 'apiserver/subresources/connect-service.ts',
    find: 'posix.normalize(subpath)',
    replace: 'subpath',
  },
  {
    name: 'the root is not redirected',
    caughtBy: 'the root of a Service has a slash',
    file: 'apiserver/subresources/connect-service.ts',
    find: "subpath === '' && !upgrades",
    replace: "subpath === '?' && !upgrades",
  },
  {
    name: 'redirects leave the proxy',
    caughtBy: 'answers of a Service are passed on',
    file: 'apiserver/subresources/proxy-paths.ts',
    find: "if (!isSameHost || !path.startsWith('/')) return location;",
    replace: "if (isSameHost || !path.startsWith('/')) return location;",
  },
  {
    name: 'the certificate of a pod is verified',
    caughtBy: 'a Service is asked over TLS without verifying its certificate',
    file: 'apiserver/kubelet/request-pod.ts',
    find: 'rejectUnauthorized: false',
    replace: 'rejectUnauthorized: true',
  },
  {
    name: 'a connection may be a dry run',
    caughtBy: 'a connection has no dry run',
    file: 'apiserver/webhooks/admit-connection.ts',
    find: "if (request.query['dryRun'] !== undefined) throw badRequest('dryRun is not supported');",
    replace: '',
  },
];
