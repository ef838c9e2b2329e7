// SPDX-License-Identifier: Apache-2.0
import { refusal } from './refusal.ts';
import type { ResourcePath, Verb } from './request-info.ts';
import type { User } from './server-request.ts';

/** What somebody wants to do. */
export interface Attempt {
  verb: Verb;
  path: ResourcePath;
}

/** Says whether a user may do something. */
export type Authorizer = (user: User, attempt: Attempt) => boolean;

/** Lets the administrators and the nodes do everything, and nobody else anything. */
export const groupAuthorizer: Authorizer = ({ groups }) => {
  return groups.includes('system:masters') || groups.includes('system:nodes');
};

/** Throws the refusal a Kubernetes API server would give when the user may not do this. */
export function authorize(authorizer: Authorizer, user: User, attempt: Attempt): void {
  if (authorizer(user, attempt)) return;
  const { group, plural, subresource, name, namespace } = attempt.path;
  const resource = subresource === undefined ? plural : `${plural}/${subresource}`;
  const qualified = group === '' ? resource : resource.replace(plural, `${plural}.${group}`);
  const where = namespace === undefined ? 'at the cluster scope' : `in the namespace "${namespace}"`;
  const subject = name === undefined ? qualified : `${qualified} "${name}"`;
  throw refusal(
    403,
    'Forbidden',
    `${subject} is forbidden: User "${user.name}" cannot ${attempt.verb} resource "${resource}" in API group "${group}" ${where}`,
    { ...(name !== undefined && { name }), ...(group !== '' && { group }), kind: plural },
  );
}
