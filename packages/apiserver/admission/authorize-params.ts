// SPDX-License-Identifier: Apache-2.0
import { forbidden, type FieldError } from '@forge/kube/errors/field-error.ts';
import type { ParamKind } from '@forge/kube/generated/types.ts';
import type { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from '@forge/kube/kinds/builtin.ts';
import { jsonEqual } from '@forge/kube/objects/json.ts';
import { groupOf } from '@forge/kube/objects/object.ts';
import { isInSystemMasters } from '../access/authorize.ts';
import type { User } from '../messages/server-request.ts';
import { invalid } from '../messages/status-errors.ts';
import type { ServerContext } from '../request/server-context.ts';
import type { Write, WriteStep } from '../request/write.ts';

/** Rejects a policy or binding whose author may not read the params that it refers to. */
export const authorizeParams: WriteStep = (write, server) => {
  const { resource, subresource, object, user } = write;
  const { group, plural } = resource.kind;
  if (group !== 'admissionregistration.k8s.io' || subresource !== undefined || isInSystemMasters(user)) return object;
  const problem =
    plural === 'validatingadmissionpolicies'
      ? policyProblem(write, server)
      : plural === 'validatingadmissionpolicybindings'
        ? bindingProblem(write, server)
        : undefined;
  if (problem === undefined) return object;
  throw invalid(resource.kind, object.metadata.name, [problem]);
};

function policyProblem({ object, before, user }: Write, server: ServerContext): FieldError | undefined {
  const { paramKind } = (object as ValidatingAdmissionPolicy).spec ?? {};
  const old = (before as ValidatingAdmissionPolicy | undefined)?.spec?.paramKind;
  if (paramKind === undefined || jsonEqual(paramKind, old)) return undefined;
  const access = { verb: 'get', ...resourceOf(paramKind, server), subresource: '', namespace: '*', name: '*' };
  if (server.authorizer(user, access).allowed) return undefined;
  const what = `kind=${paramKind.kind ?? ''}, apiVersion=${paramKind.apiVersion ?? ''}`;
  const why = `must have "get" permission on all objects of the referenced paramKind (${what})`;
  return forbidden('spec.paramKind', `user ${userText(user)} ${why}`);
}

function bindingProblem({ object, before, user }: Write, server: ServerContext): FieldError | undefined {
  const { paramRef, policyName } = (object as ValidatingAdmissionPolicyBinding).spec;
  const old = (before as ValidatingAdmissionPolicyBinding | undefined)?.spec;
  if (paramRef === undefined || (jsonEqual(paramRef, old?.paramRef) && policyName === old?.policyName))
    return undefined;
  const { name = '', namespace = '' } = paramRef;
  const verb = name === '' ? 'list' : 'get';
  const key = `validatingadmissionpolicies.admissionregistration.k8s.io//${policyName}`;
  const policy = server.store.current.objects.get(key)?.value as ValidatingAdmissionPolicy | undefined;
  const paramKind = policy?.spec?.paramKind;
  const target = resourceOf(paramKind, server);
  if (server.authorizer(user, { verb, ...target, subresource: '', namespace, name }).allowed) return undefined;
  const all = `user ${userText(user)} does not have "${verb}" permission for all groups, versions and resources`;
  const unknown =
    policy === undefined
      ? `get policy ${policyName}`
      : paramKind !== undefined && target.resource === '*'
        ? `resolve paramKind &{${paramKind.apiVersion ?? ''} ${paramKind.kind ?? ''}}`
        : undefined;
  return forbidden(
    'spec.paramRef',
    unknown === undefined
      ? `user ${userText(user)} does not have "${verb}" permission on the object referenced by paramRef`
      : `unable to ${unknown} to determine minimum required permissions and ${all}`,
  );
}

/** The group and resource of a kind; any when it is not known. */
function resourceOf(kind: ParamKind | undefined, { resources }: ServerContext): { group: string; resource: string } {
  if (kind === undefined) return { group: '*', resource: '*' };
  const { apiVersion = '', kind: name = '' } = kind;
  return { group: groupOf(apiVersion), resource: resources.findKind(apiVersion, name)?.kind.plural ?? '*' };
}

/** A user as Go prints it. */
function userText({ name, uid = '', groups, extra = {} }: User): string {
  const entries = Object.entries(extra).map(([key, values]) => `${key}:[${values.join(' ')}]`);
  return `&{${name} ${uid} [${groups.join(' ')}] map[${entries.toSorted().join(' ')}]}`;
}
