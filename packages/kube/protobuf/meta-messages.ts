// SPDX-License-Identifier: Apache-2.0
import type { Message } from './messages.ts';

/** Messages that only servers send: status, lists, discovery. */
export const metaMessages: Readonly<Record<string, Message>> = {
  ListMeta: {
    1: { name: 'selfLink', type: 'string' },
    2: { name: 'resourceVersion', type: 'string' },
    3: { name: 'continue', type: 'string' },
    4: { name: 'remainingItemCount', type: 'int64', zero: true },
  },
  Status: {
    1: { name: 'metadata', type: 'ListMeta' },
    2: { name: 'status', type: 'string' },
    3: { name: 'message', type: 'string' },
    4: { name: 'reason', type: 'string' },
    5: { name: 'details', type: 'StatusDetails' },
    6: { name: 'code', type: 'int32' },
  },
  StatusDetails: {
    1: { name: 'name', type: 'string' },
    2: { name: 'group', type: 'string' },
    3: { name: 'kind', type: 'string' },
    4: { name: 'causes', type: 'StatusCause', many: 'list' },
    5: { name: 'retryAfterSeconds', type: 'int32' },
    6: { name: 'uid', type: 'string' },
  },
  StatusCause: {
    1: { name: 'reason', type: 'string' },
    2: { name: 'message', type: 'string' },
    3: { name: 'field', type: 'string' },
  },
  PartialObjectMetadata: { 1: { name: 'metadata', type: 'ObjectMeta' } },
  APIVersions: {
    1: { name: 'versions', type: 'string', many: 'list' },
    2: { name: 'serverAddressByClientCIDRs', type: 'ServerAddressByClientCIDR', many: 'list' },
  },
  ServerAddressByClientCIDR: {
    1: { name: 'clientCIDR', type: 'string', zero: true },
    2: { name: 'serverAddress', type: 'string', zero: true },
  },
  APIGroupList: { 1: { name: 'groups', type: 'APIGroup', many: 'list' } },
  APIGroup: {
    1: { name: 'name', type: 'string', zero: true },
    2: { name: 'versions', type: 'GroupVersionForDiscovery', many: 'list' },
    3: { name: 'preferredVersion', type: 'GroupVersionForDiscovery' },
    4: { name: 'serverAddressByClientCIDRs', type: 'ServerAddressByClientCIDR', many: 'list' },
  },
  GroupVersionForDiscovery: {
    1: { name: 'groupVersion', type: 'string', zero: true },
    2: { name: 'version', type: 'string', zero: true },
  },
  APIResourceList: {
    1: { name: 'groupVersion', type: 'string', zero: true },
    2: { name: 'resources', type: 'APIResource', many: 'list' },
  },
  APIResource: {
    1: { name: 'name', type: 'string', zero: true },
    2: { name: 'namespaced', type: 'bool', zero: true },
    3: { name: 'kind', type: 'string', zero: true },
    4: { name: 'verbs', type: 'Verbs' },
    5: { name: 'shortNames', type: 'string', many: 'list' },
    6: { name: 'singularName', type: 'string', zero: true },
    7: { name: 'categories', type: 'string', many: 'list' },
    8: { name: 'group', type: 'string' },
    9: { name: 'version', type: 'string' },
    10: { name: 'storageVersionHash', type: 'string' },
  },
  APIGroupDiscovery: {
    1: { name: 'metadata', type: 'ObjectMeta' },
    2: { name: 'versions', type: 'APIVersionDiscovery', many: 'list' },
  },
  APIVersionDiscovery: {
    1: { name: 'version', type: 'string', zero: true },
    2: { name: 'resources', type: 'APIResourceDiscovery', many: 'list' },
    3: { name: 'freshness', type: 'string' },
  },
  APIResourceDiscovery: {
    1: { name: 'resource', type: 'string', zero: true },
    2: { name: 'responseKind', type: 'GroupVersionKind' },
    3: { name: 'scope', type: 'string', zero: true },
    4: { name: 'singularResource', type: 'string', zero: true },
    5: { name: 'verbs', type: 'string', many: 'list' },
    6: { name: 'shortNames', type: 'string', many: 'list' },
    7: { name: 'categories', type: 'string', many: 'list' },
    8: { name: 'subresources', type: 'APISubresourceDiscovery', many: 'list' },
  },
  APISubresourceDiscovery: {
    1: { name: 'subresource', type: 'string', zero: true },
    2: { name: 'responseKind', type: 'GroupVersionKind' },
    3: { name: 'acceptedTypes', type: 'GroupVersionKind', many: 'list' },
    4: { name: 'verbs', type: 'string', many: 'list' },
  },
  GroupVersionKind: {
    1: { name: 'group', type: 'string', zero: true },
    2: { name: 'version', type: 'string', zero: true },
    3: { name: 'kind', type: 'string', zero: true },
  },
};
