// SPDX-License-Identifier: Apache-2.0
import type { OperatorBug } from '@forge/runtime/testing/operator-bugs.ts';

const propagation = 'steps/teardown/propagation.test.ts';

/** Bugs of deletions in the foreground, that orphan, of a namespace, and of everything at once. */
export const deletionBugs: readonly OperatorBug[] = [
  {
    name: 'the login by password is deleted with the ControlPlane',
    caughtBy: [
      'test/owned-objects.test.ts',
      'every object of a ControlPlane is controlled by it, without labels or annotations but those that act',
    ],
    file: 'steps/korc/password-cloud.ts',
    find: 'apply(wanted, { outlives: true,',
    replace: 'apply(wanted, { outlives: false,',
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
    find: "if (isLeaving || databases.includes(undefined)) return 'leaving';",
    replace: "if (isLeaving && databases.includes(undefined)) return 'leaving';",
  },
  {
    name: 'nobody notices that the database is being deleted',
    caughtBy: [propagation, 'and whose database is being deleted, does not wait for K-ORC'],
    file: 'steps/teardown/keystone-outlook.ts',
    find: 'const isLeaving = [child, ...databases].some(',
    replace: 'const isLeaving = [child].some(',
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
    find: "if (isForced && revocation !== 'done') await",
    replace: "if (isForced && revocation === 'pending') await",
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
    file: 'steps/korc/password-cloud.ts',
    find: 'await holdChildren(applied, context);',
    replace: "if (applied.kind === '') await holdChildren(applied, context);",
  },
  {
    name: 'what a deletion has orphaned goes with the login',
    caughtBy: [propagation, 'Orphan, managed: gone within 30 s, the credential is revoked, nothing of K-ORC is left'],
    file: 'steps/teardown/teardown.ts',
    find: 'await releaseHeld(context);',
    replace: 'if (isForced) await releaseHeld(context);',
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
];
