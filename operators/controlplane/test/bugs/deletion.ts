// SPDX-License-Identifier: Apache-2.0
import type { OperatorBug } from '@forge/testing/bugs/operator-bugs.ts';

const propagation = 'steps/teardown/propagation.test.ts';

const leftBehind = 'steps/release-left-behind.test.ts';

/** Bugs of deletions in the foreground, that orphan, of a namespace, and of everything at once. */
export const deletionBugs: readonly OperatorBug[] = [
  {
    name: 'the login by password is deleted with the ControlPlane',
    caughtBy: [
      'test/owned-objects.test.ts',
      'every object of a ControlPlane is controlled by it, without labels or annotations but those that act',
    ],
    file: 'steps/password-cloud.ts',
    find: 'apply(wanted, { retainOnDelete: true,',
    replace: 'apply(wanted, { retainOnDelete: false,',
  },
  {
    name: 'the login by password is left behind',
    caughtBy: [propagation, 'Orphan, managed: gone within 30 s, the credential is revoked, nothing of K-ORC is left'],
    file: 'steps/teardown/teardown.ts',
    find: 'for (const name of [applicationCredential, passwordCloud])',
    replace: 'for (const name of [applicationCredential, passwordCloud].slice(0, 1))',
  },
  {
    name: 'a deletion needs the Secret of the password',
    caughtBy: [propagation, 'revokes it without K-ORC, too'],
    file: 'steps/teardown/redirect-logins.ts',
    find: 'const copy = login && passwordIn(login);',
    replace: 'const copy = login && passwordIn(login) && undefined;',
  },
  {
    name: 'a deletion that orphans leaves the objects of K-ORC',
    caughtBy: [
      propagation,
      'a deletion that orphaned everything while the operator was away still deletes the objects of K-ORC',
    ],
    file: 'steps/teardown/korc-children.ts',
    find: 'const isOrphaned = controllerOf(live) === undefined;',
    replace: "const isOrphaned = controllerOf(live)?.uid === '';",
  },
  {
    name: 'a Keystone that is being deleted is given up at the first failure',
    caughtBy: [propagation, 'waits a moment for a Keystone that is silent only for a moment'],
    file: 'steps/teardown/teardown.ts',
    find: 'silence >= silenceTimeout',
    replace: 'silence >= 0 * silenceTimeout',
  },
  {
    name: 'a deletion in the foreground does not wait for a credential that is being created',
    caughtBy: [
      'steps/teardown/propagation.test.ts',
      'waits for a credential that K-ORC is creating: it would come into being after the revocation',
    ],
    file: 'steps/teardown/teardown.ts',
    find: "(early === 'done' && !isMinting(context))",
    replace: "(early === 'done' && isMinting.name !== '')",
  },
  {
    name: 'nobody notices that the database is gone',
    caughtBy: [propagation, 'that is deleted before it, with its claims, waits for nobody: Background'],
    file: 'steps/teardown/keystone-outlook.ts',
    find: "if (isTerminating || databases.includes(undefined)) return 'terminating';",
    replace: "if (isTerminating && databases.includes(undefined)) return 'terminating';",
  },
  {
    name: 'nobody notices that the database is being deleted',
    caughtBy: [propagation, 'and whose database is being deleted, does not wait for K-ORC'],
    file: 'steps/teardown/keystone-outlook.ts',
    find: 'const isTerminating = [child, ...databases].some(',
    replace: 'const isTerminating = [child].some(',
  },
  {
    name: 'a Keystone that is gone is waited for',
    caughtBy: [propagation, 'and is gone, waits for nothing'],
    file: 'steps/teardown/teardown.ts',
    find: "(outlook === 'gone' || silence >= silenceTimeout)",
    replace: 'silence >= silenceTimeout',
  },
  {
    name: 'a credential that nobody could revoke is not named',
    caughtBy: [propagation, 'after Keystone is gone: everything is gone within 30 s, the credential revoked or named'],
    file: 'steps/teardown/revocation.ts',
    find: 'await event(note, namespace && { about: namespace });',
    replace: "await event(note, namespace && { once: '' });",
  },
  {
    name: 'a credential is not named when no password is left to revoke it with',
    caughtBy: [
      'steps/teardown/propagation.test.ts',
      'after every copy of the password is gone ends within 30 s, and names the credential',
    ],
    file: 'steps/teardown/teardown.ts',
    find: "if (revocation !== 'done') await",
    replace: "if (revocation === 'pending') await",
  },
  {
    name: 'a credential is not named when nothing of K-ORC is left to release by force',
    caughtBy: [
      propagation,
      'a deletion in the background, after every copy of the password and all of K-ORC is gone, names the credential',
    ],
    file: 'steps/teardown/teardown.ts',
    find: "if (revocation !== 'done') await",
    replace: "if (isForced && revocation !== 'done') await",
  },
  {
    name: 'the login by password is created again in the foreground',
    caughtBy: [propagation, 'creates nothing'],
    file: 'steps/teardown/redirect-logins.ts',
    find: 'const mayWrite = live !== undefined ||',
    replace: "const mayWrite = live?.kind !== '' ||",
  },
  {
    name: 'Keystone is deleted while its credential is not yet revoked',
    caughtBy: [
      propagation,
      'Foreground, brownfield: gone within 30 s, the credential is revoked, nothing of K-ORC is left',
    ],
    file: 'steps/password-cloud.ts',
    find: 'await holdChildren(applied, context);',
    replace: "if (applied.kind === '') await holdChildren(applied, context);",
  },
  {
    name: 'what a deletion has orphaned goes with the login',
    caughtBy: [
      propagation,
      'a deletion that orphans as a second thought keeps Keystone and its database, also while the last login is under way',
    ],
    file: 'steps/teardown/teardown.ts',
    find: '    await releaseHeld(context);\n    if (left.length > 0)',
    replace: '    if (left.length > 0)',
  },
  {
    name: 'what a deletion has orphaned goes with a login that somebody deleted',
    caughtBy: [propagation, 'keeps Keystone and its database: K-ORC holds it until its objects are gone'],
    file: 'steps/teardown/teardown.ts',
    find: '    await releaseHeld(context);\n    const watched',
    replace: '    const watched',
  },
  {
    name: 'a deletion in the foreground is forgotten',
    caughtBy: [
      propagation,
      'takes Keystone and its database along, also when the garbage collector was done long before',
    ],
    file: 'steps/teardown/teardown.ts',
    find: 'await rememberForeground(context);',
    replace: "if (rememberForeground.name === '') await rememberForeground(context);",
  },
  {
    name: 'what was left behind when somebody removed the finalizer is about to go for ever',
    caughtBy: [leftBehind, 'stays, and is used by a successor of the name: Background'],
    file: 'steps/release-left-behind.ts',
    find: '  await release(kind, live, { owners: (owner) => isHold(owner, controlPlane) });',
    replace: "  if (name === '') await release(kind, live, { owners: (owner) => isHold(owner, controlPlane) });",
  },
  {
    name: 'what goes with a deleted login is kept',
    caughtBy: [leftBehind, 'goes with its login when somebody deletes that'],
    file: 'steps/release-left-behind.ts',
    find: 'if (login === undefined || login.deletionTimestamp !== undefined) return;',
    replace: 'if (login === undefined) return;',
  },
  {
    name: 'what a deletion in the foreground leaves to the login is taken for left behind',
    caughtBy: [
      leftBehind,
      'a deletion in the foreground takes all along although the operator learns of it after the garbage collector has begun',
    ],
    file: 'steps/release-left-behind.ts',
    find: '  if (login.annotations?.[ownerAnnotation] === controlPlane.metadata.uid) return;\n',
    replace: "  if (login.annotations?.[ownerAnnotation] === '') return;\n",
  },
  {
    name: 'a deletion in the foreground is remembered for the next ControlPlane',
    caughtBy: [leftBehind, 'does not make a later deletion that orphans one in the foreground'],
    file: 'steps/password-cloud.ts',
    find: 'if (applied.metadata.annotations?.[propagationAnnotation] !== undefined)',
    replace: "if (applied.metadata.annotations?.[propagationAnnotation] === '')",
  },
];
