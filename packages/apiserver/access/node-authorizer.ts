// SPDX-License-Identifier: Apache-2.0
import type { ResourceAccessRequest } from '../messages/access-request.ts';
import type { Store } from '../storage/store.ts';
import type { Authorizer, Decision } from './authorize.ts';
import { defaultRulesOf } from './default-roles.ts';
import { nodeNameOf } from './node-identity.ts';
import { nodeRelations } from './node-relations.ts';
import { ruleAllows } from './rule-allows.ts';

/** Authorizes access to one resource by the node of this name. */
type Check = (access: ResourceAccessRequest, node: string, store: Store) => Decision;

const allowed: Decision = { allowed: true, reason: '' };
const denied = (reason = ''): Decision => ({ allowed: false, reason });

/**
 * Authorizes nodes: each can read its own objects and those that its pods use; everything else that nodes need is
 * allowed to all of them. NodeRestriction further restricts creates and updates, because it sees their content.
 */
export function nodeAuthorizer(store: Store): Authorizer {
  const rules = defaultRulesOf('system:node');
  return (user, access) => {
    const node = nodeNameOf(user);
    if (node === undefined) return denied();
    if (node === '') return denied(`unknown node for user ${JSON.stringify(user.name)}`);
    const check = 'path' in access ? undefined : checks[resourceOf(access)];
    if (check !== undefined) return check(access as ResourceAccessRequest, node, store);
    return rules.some((rule) => ruleAllows(rule, access)) ? allowed : denied();
  };
}

function resourceOf({ group, resource }: ResourceAccessRequest): string {
  return group === '' ? resource : `${resource}.${group}`;
}

const checks: Readonly<Record<string, Check | undefined>> = {
  secrets: readable('secrets'),
  configmaps: readable('configmaps'),
  persistentvolumeclaims: (access, node, store) => {
    if (access.subresource !== 'status') return gettable('persistentvolumeclaims')(access, node, store);
    const isUpdate = access.verb === 'update' || access.verb === 'patch';
    if (!isUpdate) return denied('can only get/update/patch this type');
    return related('persistentvolumeclaims')(access, node, store);
  },
  persistentvolumes: gettable('persistentvolumes'),
  'resourceclaims.resource.k8s.io': gettable('resourceclaims'),
  'volumeattachments.storage.k8s.io': gettable('volumeattachments'),
  serviceaccounts: (access, node, store) => {
    const { verb, subresource, name } = access;
    if (verb === 'get' && subresource === '') return readable('serviceaccounts')(access, node, store);
    if (verb !== 'create' || name === '') return denied('can only create tokens for individual service accounts');
    if (subresource !== 'token') return denied('can only create token subresource of serviceaccount');
    return related('serviceaccounts')(access, node, store);
  },
  'leases.coordination.k8s.io': ({ verb, namespace, name }, node) => {
    if (!ownVerbs.has(verb)) return denied('can only get, create, update, patch, or delete a node lease');
    if (namespace !== 'kube-node-lease') {
      return denied('can only access leases in the "kube-node-lease" system namespace');
    }
    if (verb === 'create' || name === node) return allowed;
    return denied('can only access node lease with the same name as the requesting node');
  },
  'csinodes.storage.k8s.io': ({ verb, subresource, name }, node) => {
    if (!ownVerbs.has(verb)) return denied('can only get, create, update, patch, or delete a CSINode');
    if (subresource !== '') return denied('cannot authorize CSINode subresources');
    if (verb === 'create' || name === node) return allowed;
    return denied('can only access CSINode with the same name as the requesting node');
  },
  'resourceslices.resource.k8s.io': (access, node, store) => {
    if (access.subresource !== '') return denied('cannot authorize ResourceSlice subresources');
    switch (access.verb) {
      case 'create':
        return allowed;
      case 'get':
      case 'update':
      case 'patch':
      case 'delete':
        return related('resourceslices')(access, node, store);
      case 'list':
      case 'watch':
      case 'deletecollection':
        if (selects(access, 'spec.nodeName', node)) return allowed;
        return denied('can only list/watch/deletecollection resourceslices with nodeName field selector');
      default:
        return denied(`only the following verbs are allowed for a ResourceSlice: ${sliceVerbs}`);
    }
  },
  nodes: ({ verb, subresource, name }, node) => {
    const isWrite = verb === 'update' || verb === 'patch' || (verb === 'create' && subresource === '');
    if (isWrite && (subresource === '' || subresource === 'status')) return allowed;
    if (subresource !== '' || !readVerbs.has(verb)) return denied();
    if (name === node) return allowed;
    const what = name === '' ? 'all nodes' : `'${name}'`;
    return denied(`node '${node}' cannot read ${what}, only its own Node object`);
  },
  pods: (access, node, store) => {
    const { verb, subresource, name } = access;
    switch (subresource === '' ? verb : `${verb} ${subresource}`) {
      case 'get':
        return related('pods')(access, node, store);
      case 'list':
      case 'watch':
        if (selects(access, 'spec.nodeName', node)) return allowed;
        if (name !== '') return related('pods')(access, node, store);
        return denied('can only list/watch pods with spec.nodeName field selector');
      case 'create':
      case 'delete':
      case 'update status':
      case 'patch status':
      case 'create eviction':
        return allowed;
      default:
        return denied();
    }
  },
};

const readVerbs = new Set(['get', 'list', 'watch']);
const ownVerbs = new Set(['get', 'create', 'update', 'patch', 'delete']);
const sliceVerbs = 'get, watch, list, create, update, patch, delete, deletecollection';

function gettable(relation: keyof typeof nodeRelations): Check {
  return (access, node, store) => {
    if (access.verb !== 'get') return denied('can only get individual resources of this type');
    if (access.subresource !== '') return denied('cannot get subresource');
    return related(relation)(access, node, store);
  };
}

function readable(relation: keyof typeof nodeRelations): Check {
  return (access, node, store) => {
    if (!readVerbs.has(access.verb)) return denied('can only read resources of this type');
    if (access.subresource !== '') return denied('cannot read subresource');
    if (access.namespace === '') return denied('can only read namespaced object of this type');
    return related(relation)(access, node, store);
  };
}

function related(relation: keyof typeof nodeRelations): Check {
  return (access, node, store) => {
    if (access.name === '') return denied('No Object name found');
    if (nodeRelations[relation](store, node, access)) return allowed;
    return denied(`no relationship found between node '${node}' and this object`);
  };
}

function selects({ fieldSelector = [] }: ResourceAccessRequest, field: string, value: string): boolean {
  return fieldSelector.some((each) => each.path === field && each.operator === '=' && each.value === value);
}
