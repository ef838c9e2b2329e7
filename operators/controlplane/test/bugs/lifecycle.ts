// SPDX-License-Identifier: Apache-2.0
import type { OperatorBug } from '@forge/testing/bugs/operator-bugs.ts';
import { ruleNames } from '../simulation/rule-names.ts';

const catalog = 'conditions/condition-catalog.test.ts';
const teardown = 'steps/teardown/teardown.test.ts';
const redirect = 'steps/teardown/redirect-logins.test.ts';

/** Bugs of children, of who owns them, and of the deletion. */
export const lifecycleBugs: readonly OperatorBug[] = [
  {
    name: 'a ControlPlane has no finalizer',
    caughtBy: ['test/simulation/simulation.test.ts', 'delete without K-ORC'],
    reports: ruleNames.noneLeft,
    file: 'reconcile.ts',
    find: 'deletion: [teardown],',
    replace: 'deletion: teardown === undefined ? [] : [],',
  },
  {
    name: 'the finalizer is dropped while objects of K-ORC are left',
    caughtBy: [
      catalog,
      'K-ORC revokes the credential while Keystone still runs, then everything that was created goes',
    ],
    file: 'steps/teardown/teardown.ts',
    find: 'if (!isForced && (left.length > 0 || mayBeLeft)) return',
    replace: 'if (!isForced && (left.length > 9 || mayBeLeft)) return',
  },
  {
    name: 'a deletion does not revoke what K-ORC left',
    caughtBy: ['test/simulation/simulation.test.ts', 'delete without K-ORC'],
    reports: ruleNames.noneLeft,
    file: 'steps/teardown/revocation.ts',
    find: '    await revokeLeftovers(context, { password });\n',
    replace: "    if (revokeLeftovers === undefined) throw new Error('');\n",
  },
  {
    name: 'the credential is deleted while Keystone does not answer',
    caughtBy: [catalog, 'while Keystone does not answer the credential stays, and is revoked when it does'],
    file: 'steps/teardown/teardown.ts',
    find: 'kind !== ApplicationCredential || isForced || (await answersLogin(context));',
    replace: "kind !== ApplicationCredential || isForced || answersLogin.name !== '';",
  },
  {
    name: 'a forced release removes the finalizers of others',
    caughtBy: [catalog, 'a forced release keeps the finalizers of others, and names what is left'],
    file: 'steps/teardown/force-release.ts',
    find: 'release(kind, live, { finalizers: isKorcFinalizer });',
    replace: 'release(kind, live, { finalizers: () => true });',
  },
  {
    name: 'an operator that was away forces at once',
    caughtBy: [catalog, 'an operator that was away for long gives K-ORC a minute before it forces anything'],
    file: 'steps/teardown/teardown.ts',
    find: 'const leastWatch = seconds(60);',
    replace: 'const leastWatch = seconds(0);',
  },
  {
    name: 'a deletion trusts the cache that nothing is left',
    caughtBy: [teardown, 'asks the server before it ends: an object may have been created just before'],
    file: 'steps/teardown/korc-children.ts',
    find: 'if (known.length > 0) return known;',
    replace: 'if (known.length >= 0) return known;',
  },
  {
    name: 'a deletion takes objects of others along',
    caughtBy: [teardown, 'leaves objects of the names alone that are not its own'],
    file: 'steps/teardown/korc-children.ts',
    find: 'live !== undefined && isOwn(live, controlPlane) ?',
    replace: "live !== undefined && (isOwn(live, controlPlane) || live.kind !== '') ?",
  },
  {
    name: 'K-ORC is to log in with the credential that it revokes',
    caughtBy: [
      teardown,
      'has K-ORC log in by password for all that it deletes, and keep the catalog, before it deletes anything',
    ],
    file: 'steps/teardown/teardown.ts',
    find: '  await redirectLogins(children, context);\n',
    replace: '  if (children.length === 0) await redirectLogins(children, context);\n',
  },
  {
    name: 'a deletion goes on when the API server fails to redirect a login',
    caughtBy: [
      redirect,
      'is repeated when the API server fails; only then the objects are deleted, in the specified order',
    ],
    file: 'steps/teardown/redirect-logins.ts',
    find: '    if (isFault(error)) throw error;\n',
    replace: '    if (isFault(undefined)) throw error;\n',
  },
  {
    name: 'K-ORC is handed a password that Keystone does not accept yet',
    caughtBy: [redirect, 'hands K-ORC a new password once Keystone accepts it, not before'],
    file: 'steps/teardown/redirect-logins.ts',
    find: 'if (!mayWrite || !(await isAccepted(password, context))) return asItIs;',
    replace: 'if (!mayWrite) return asItIs;',
  },
  {
    name: 'a deletion revokes the credential before K-ORC had time to',
    caughtBy: [
      'steps/teardown/teardown-limits.test.ts',
      'leaves the revocation to K-ORC for a minute, and revokes the credential itself after that',
    ],
    file: 'steps/teardown/teardown.ts',
    find: 'const isDue = left.length === 0 || hasWaited;',
    replace: 'const isDue = left.length >= 0 || hasWaited;',
  },
  {
    name: 'a Terminating object of K-ORC keeps the login of an earlier cloud name',
    caughtBy: [
      'steps/korc/current-login.test.ts',
      'objects of K-ORC that are being deleted while the cloud gets another name go all the same, and come back',
    ],
    file: 'steps/korc/current-login.ts',
    find: 'if (!isControlledBy(live, controlPlane)) return live;',
    replace: 'if (!isControlledBy(live, controlPlane) || live.metadata.deletionTimestamp !== undefined) return live;',
  },
  {
    name: 'the catalog goes with the ControlPlane',
    caughtBy: [
      'objects/korc/korc-objects.test.ts',
      'register the identity service and its public endpoint, and leave them in Keystone when they go',
    ],
    file: 'objects/korc/catalog.ts',
    find: "onDelete: 'detach'",
    replace: "onDelete: 'delete'",
  },
  {
    name: 'a database of others is taken for our own',
    caughtBy: [
      'steps/infrastructure.test.ts',
      'that exist already are used as they are: neither changed nor owned, and they outlive the ControlPlane',
    ],
    file: 'objects/child-state.ts',
    find: "if (isControlledBy(live, controlPlane)) return 'own';",
    replace: "if (isControlledBy(live, controlPlane) || controllerOf(live) === undefined) return 'own';",
  },
  {
    name: 'children of an earlier ControlPlane count',
    caughtBy: [
      'objects/child-state.test.ts',
      'is about to go when it is terminating, or belongs to an earlier ControlPlane',
    ],
    file: 'objects/child-state.ts',
    find: "return isOfEarlierOwner(live, controlPlane, { underAnyName: true }) ? 'terminating' : 'unowned';",
    replace: "return isOfEarlierOwner(live, live) ? 'terminating' : 'unowned';",
  },
  {
    name: 'a Keystone that gets a public endpoint is another Keystone',
    caughtBy: ['test/simulation/simulation.test.ts', 'configure'],
    reports: ruleNames.createdOnce,
    file: 'objects/keystone-child.ts',
    find: 'metadata: { name: namesOf(controlPlane).keystone }, spec:',
    replace:
      "metadata: { name: namesOf(controlPlane).keystone + (catalogUrlOf(controlPlane).startsWith('https') ? '-public' : '') }, spec:",
  },
  {
    name: 'a Keystone that was ready for an earlier spec counts',
    caughtBy: ['steps/keystone.test.ts', 'counts as ready for its current generation only'],
    file: 'objects/keystone-child.ts',
    find: 'observed.every((each) => each >= generation)',
    replace: 'observed.every((each) => each >= 0 * generation)',
  },
  {
    name: 'a catalog entry that is available for an earlier spec counts',
    caughtBy: [
      'conditions/condition-catalog.test.ts',
      'covers the registration, which counts for the current spec only',
    ],
    file: 'objects/korc/korc-object.ts',
    find: "isAvailable(object) && conditionOf(object, 'Available')?.observedGeneration === object.metadata.generation;",
    replace: 'isAvailable(object);',
  },
  {
    name: 'the oldest of two ControlPlanes takes over, whoever has children',
    caughtBy: ['steps/duplicate.test.ts', 'is the one that holds the finalizer, whatever its age: it has children'],
    file: 'steps/duplicate.ts',
    find: 'Number(holds(b)) - Number(holds(a)) || compare',
    replace: 'compare',
  },
];
