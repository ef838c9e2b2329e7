// SPDX-License-Identifier: Apache-2.0
import type { OperatorBug } from '@forge/testing/bugs/operator-bugs.ts';
import { ruleNames } from '../simulation/rule-names.ts';

const invariants = 'test/credential-invariants.test.ts';
const minting = 'steps/korc/mint-credential.test.ts';
const reMinting = 'steps/korc.test.ts';
const replaced = 'test/replaced-keystone.test.ts';
const terminating = 'steps/korc/release-terminating.test.ts';

/** Bugs of the admin application credential: minting, re-minting, where its secret may be. */
export const credentialBugs: readonly OperatorBug[] = [
  {
    name: 'clouds.yaml replaces the Secret of the admin password, or one that somebody else has made',
    caughtBy: [
      'conditions/condition-catalog.test.ts',
      'covers a ControlPlane older than the rule whose clouds.yaml is to replace the Secret of the admin password',
    ],
    file: 'steps/clouds-yaml.ts',
    find: '    if (inTheWay !== undefined) return blocked(inTheWay);\n',
    replace: '    if (inTheWay?.reason === name) return blocked(inTheWay);\n',
  },
  {
    name: 'a credential is deleted before the value of its successor is written',
    caughtBy: [
      'test/simulation/crashes.test.ts',
      'a ControlPlane ends as without faults wherever its operator crashes after a write of a rotation',
    ],
    file: 'steps/korc/re-mint.ts',
    find: `  await failOnError(
    (error) => cases.newValueRefused({ error }),
    () => patch(Secret, secret, { data: { [valueKey]: newValue(random).base64() } }, { exact: true }),
  );
  return await deleteCredential(live, administrator, context);`,
    replace: `  const deleted = await deleteCredential(live, administrator, context);
  await patch(Secret, secret, { data: { [valueKey]: newValue(random).base64() } }, { exact: true });
  return deleted;`,
  },
  {
    name: 'a credential is re-minted although Keystone does not answer',
    caughtBy: [minting, 'is neither deleted nor created while Keystone has no database: K-ORC would not revoke it'],
    file: 'steps/korc/re-mint.ts',
    find: '  if (administrator === undefined) return revocation(live, context, problem);\n  await failOnError(',
    replace:
      "  if (administrator === undefined && problem === '') return revocation(live, context);\n  await failOnError(",
  },
  {
    name: 'a re-mint overwrites the value that somebody else has just written',
    caughtBy: [
      'steps/korc/re-mint.test.ts',
      'is not replaced when somebody else just did that: theirs may be minted already',
    ],
    file: 'steps/korc/re-mint.ts',
    find: '{ data: { [valueKey]: newValue(random).base64() } }, { exact: true }),',
    replace: '{ data: { [valueKey]: newValue(random).base64() } }),',
  },
  {
    name: 'a credential of another value is kept',
    caughtBy: [reMinting, 'has one successor when the operator dies between the new value and the deletion'],
    file: 'steps/korc.ts',
    find: `if (!fitsValue(live, controlPlane, mint.value))
          return`,
    replace: `if (live.metadata.name === '')
          return`,
  },
  {
    name: 'a credential is minted beside one that an earlier deletion left in Keystone',
    caughtBy: [minting, 'is minted after all that earlier ones left in Keystone is revoked; those of others stay'],
    file: 'steps/korc/mint-credential.ts',
    find: 'await revokeLeftovers(context, { password: needs.passwordCloud.password, keep });',
    replace:
      'await revokeLeftovers({ ...context, act: async () => {} }, { password: needs.passwordCloud.password, keep });',
  },
  {
    name: 'a credential that is minted already is revoked when its object does not show yet',
    caughtBy: [
      minting,
      'that is in Keystone already is kept when only its object is missing: it has the secret that is there',
    ],
    file: 'steps/korc/revoke-leftovers.ts',
    find: 'if (!name.startsWith(prefix) || name === keep) continue;',
    replace: "if (!name.startsWith(prefix) || keep === '') continue;",
  },
  {
    name: 'a credential of a Keystone that was replaced is trusted',
    caughtBy: [replaced, 'comes back with another database: the credential and the import are made anew'],
    file: 'steps/korc/re-mint.ts',
    find: 'needs.keystone.uid !== undefined && minted !== needs.keystone.uid;',
    replace: "needs.keystone.uid !== undefined && minted === '';",
  },
  {
    name: 'the import of an administrator who is gone is kept',
    caughtBy: [replaced, 'is imported anew, with the credential'],
    file: 'steps/korc/drop-stale-import.ts',
    find: 'id === undefined || id === administrator',
    replace: "id === undefined || administrator !== ''",
  },
  {
    name: 'a catalog entry forgets in which Keystone it is registered',
    caughtBy: ['test/replaced-keystone.test.ts', 'stays noted on the catalog entries while its import is made anew'],
    file: 'steps/catalog.ts',
    find: 'administratorOf(found.service) ?? administrator',
    replace: 'administrator',
  },
  {
    name: 'a catalog entry of a Keystone that is gone counts as one of the new Keystone while it is guarded',
    caughtBy: [replaced, 'leaves a catalog entry that an object of others guards, until it does no longer'],
    file: 'steps/catalog.ts',
    find: `      service: identityService(controlPlane, administratorOf(found.service) ?? administrator),
      endpoint: identityEndpoint(controlPlane, administratorOf(found.endpoint) ?? administrator),`,
    replace: `      service: identityService(controlPlane, administrator ?? administratorOf(found.service)),
      endpoint: identityEndpoint(controlPlane, administrator ?? administratorOf(found.endpoint)),`,
  },
  {
    name: 'the catalog is Ready with a guarded entry of a Keystone that is gone',
    caughtBy: [replaced, 'leaves a catalog entry that an object of others guards, until it does no longer'],
    file: 'steps/catalog.ts',
    find: 'const problems = [stale, service, endpoint]',
    replace: 'const problems = [service, endpoint]',
  },
  {
    name: 'a credential that K-ORC gave up on is revoked although its successor could reach nobody',
    caughtBy: [
      'steps/korc/observe-credential.test.ts',
      'a credential that K-ORC gave up on is kept while the store is not ready as long as it works: the next one would reach nobody',
    ],
    file: 'steps/korc/observe-credential.ts',
    find: 'const isHeld = live.status?.id !== undefined && !isStoreReady(context);',
    replace: "const isHeld = live.status?.id === '' && !isStoreReady(context);",
  },
  {
    name: 'a password that Keystone refuses is tried in every pass',
    caughtBy: [
      'steps/password-cloud.test.ts',
      'is tried less and less often, so that Keystone does not lock the account; at once after a bootstrap',
    ],
    file: 'steps/password-cloud.ts',
    find: 'const { bootstrap } = needs.keystone;',
    replace: 'const bootstrap = String(context.clock.now());',
  },
  {
    name: 'a re-mint tries a password that Keystone refuses in every pass',
    caughtBy: ['steps/password-cloud.test.ts', 'is not tried by what waits for it, either'],
    file: 'steps/korc/mint-context.ts',
    find: 'if (problem !== undefined) return { problem };',
    replace: '',
  },
  {
    name: 'a re-mint does not wait for the secret store',
    caughtBy: [
      'conditions/condition-catalog.test.ts',
      'covers a re-mint on request that waits for the secret store, and leaves the credential alone',
    ],
    file: 'steps/korc.ts',
    find: 'const isDeferred = !isStoreReady(context);',
    replace: 'const isDeferred = isOfAnother && !isStoreReady(context);',
  },
  {
    name: 'a credential is not tried as long as the clock is behind',
    caughtBy: [
      'steps/korc/re-mint.test.ts',
      'that Keystone refuses is replaced within twenty minutes, although the clock was set back by hours',
    ],
    file: 'steps/korc/re-mint.ts',
    find: 'const left = Math.min(minted + shortestTerm - clock.now(), shortestTerm - seen);',
    replace: 'const left = Math.max(minted + shortestTerm - clock.now(), shortestTerm - seen);',
  },
  {
    name: 'another password has a credential revoked while the secret store is down',
    caughtBy: ['test/simulation/simulation.test.ts', 'change password while the secret store is down'],
    reports: ruleNames.keptWithoutStore,
    file: 'steps/korc.ts',
    find: 'return isDeferred ? deferReMint(live, context) : await reMint(live, mint, context);',
    replace: "return isDeferred && live.kind === '' ? deferReMint(live, context) : await reMint(live, mint, context);",
  },
  {
    name: 'a login without an answer counts as a lost credential',
    caughtBy: [
      replaced,
      'keeps the credential, and is asked again: while the secret store is not ready, a successor would reach nobody',
    ],
    file: 'steps/korc/re-mint.ts',
    find: "if (result !== 'accepted') return result === 'refused' ? 'lost' : 'unknown';",
    replace: "if (result !== 'accepted') return 'lost';",
  },
  {
    name: 'a credential is taken for lost by a login with the value of another',
    caughtBy: [replaced, 'keeps a credential whose value somebody replaced, as long as the secret store is not ready'],
    file: 'steps/korc.ts',
    find: `          return isDeferred && !isOfAnother ?`,
    replace: `          return isDeferred && !isOfAnother && (await lossWithDatabase(live, mint, context)) !== 'lost' ?`,
  },
  {
    name: 'a Terminating object that is gone meanwhile is an error, and a refusal is none',
    caughtBy: ['steps/korc/current-login.test.ts', 'is of no account when the object is gone meanwhile'],
    file: 'steps/korc/current-login.ts',
    find: "!isApiError(error, 'NotFound')",
    replace: "isApiError(error, 'NotFound')",
  },
  {
    name: 'a rotation takes an earlier request for the one of the current spec',
    caughtBy: [
      'conditions/rotation-conditions.test.ts',
      'serves a change of the spec that came while an earlier request was under way, too',
    ],
    file: 'steps/rotate-credential.ts',
    find: 'const done = { lastTriggeredGeneration: pendingGeneration, ...nothingPending };',
    replace: 'const done = { lastTriggeredGeneration: Math.max(pendingGeneration, generation), ...nothingPending };',
  },
  {
    name: 'a rotation does not note which spec asked for it',
    caughtBy: [
      'conditions/rotation-conditions.test.ts',
      'notes which spec asked before it touches the credential, so that a later one is served, too',
    ],
    file: 'steps/rotate-credential.ts',
    find: 'pendingUID: credential?.metadata.uid, pendingGeneration: generation }',
    replace: 'pendingUID: credential?.metadata.uid }',
  },
  {
    name: 'application credentials of others are revoked, too',
    caughtBy: [minting, 'is minted after all that earlier ones left in Keystone is revoked; those of others stay'],
    file: 'steps/korc/revoke-leftovers.ts',
    find: 'if (!name.startsWith(prefix) || name === keep) continue;',
    replace: "if (prefix === '' || name === keep) continue;",
  },
  {
    name: 'credentials that an earlier deletion left in Keystone are found and not revoked',
    caughtBy: ['test/simulation/simulation.test.ts', 'delete without Keystone and re-create'],
    reports: ruleNames.oneCredential,
    file: 'steps/korc/revoke-leftovers.ts',
    find: 'await act(revoke, ({ identity }) => identity.revoke(address, { password }, id, signal));',
    replace: "if (id === '') await act(revoke, ({ identity }) => identity.revoke(address, { password }, id, signal));",
  },
  {
    name: 'nobody looks whether Keystone still has the credential',
    caughtBy: [
      'test/simulation/crashes.test.ts',
      'a ControlPlane without resync notices that others have revoked its application credential',
    ],
    reports: ruleNames.readyLogins,
    file: 'steps/korc/observe-credential.ts',
    find: ', recheck: loginDue }',
    replace: ' }',
  },
  {
    name: 'K-ORC gets a new password before Keystone accepts it',
    caughtBy: [reMinting, 'is re-minted with a new password once Keystone accepts it, not before'],
    file: 'steps/password-cloud.ts',
    find: "if (!isCurrent && result !== 'accepted') {",
    replace: "if (!isCurrent && result === 'unavailable') {",
  },
  {
    name: 'a rotation touches the credential before it has written down which one',
    caughtBy: [
      'steps/rotate-credential.test.ts',
      'mints exactly one credential more, wherever the operator crashes and whatever of its requests fails',
    ],
    file: 'steps/rotate-credential.ts',
    find: `if (pendingUID === undefined)
        return checkpoint(`,
    replace: `if (pendingUID === undefined && credential === undefined)
        return checkpoint(`,
  },
  {
    name: 'a rotation takes back its word while the old credential is gone',
    caughtBy: [
      'conditions/rotation-conditions.test.ts',
      'stays triggered on request while the old credential is gone and the new one is not there yet',
    ],
    file: 'steps/rotate-credential.ts',
    find: 'isTriggered(object) ?',
    replace: "isTriggered(object) && object.kind === '' ?",
  },
  {
    name: 'a Secret that is deleted loses the finalizers of others',
    caughtBy: [terminating, 'keeps what others hold it with'],
    file: 'steps/korc/release-terminating.ts',
    find: 'await release(Secret, secret, { finalizers: isKorcFinalizer });',
    replace: 'await release(Secret, secret, { finalizers: () => true });',
  },
  {
    name: 'a deleted clouds.yaml is given up although nobody can create it again',
    caughtBy: [terminating, 'stays, and can be read, while External Secrets could not create it again'],
    file: 'steps/korc/release-materialized.ts',
    find: 'return refreshed >= deleted - terminatingTimeout;',
    replace: 'return refreshed + deleted >= terminatingTimeout;',
  },
  {
    name: 'a clouds.yaml is held for ever when its ExternalSecret is deleted in the foreground',
    caughtBy: [terminating, 'by its ExternalSecret in the foreground, which waits for the Secret: both are replaced'],
    file: 'steps/korc/release-materialized.ts',
    find: 'isReady(push) && isAwaited(context)',
    replace: 'isReady(push) && isAwaited(context) && isReady(sync)',
  },
  {
    name: 'a clouds.yaml whose ExternalSecret is deleted in the foreground is given up without External Secrets',
    caughtBy: [
      terminating,
      'by its ExternalSecret in the foreground stays, and can be read, while External Secrets is away',
    ],
    file: 'steps/korc/release-materialized.ts',
    find: "return finalizers.every((each) => each === 'foregroundDeletion');",
    replace: "return finalizers.some((each) => each === 'foregroundDeletion');",
  },
  {
    name: 'a clouds.yaml whose ExternalSecret is deleted in the foreground is given up without the secret store',
    caughtBy: [
      terminating,
      'by its ExternalSecret in the foreground stays, and can be read, while the secret store is down',
    ],
    file: 'steps/korc/release-materialized.ts',
    find: 'if (deletionTimestamp === undefined || !isReady(get(ClusterSecretStore, secretStore))) return false;',
    replace: "if (deletionTimestamp === undefined || secretStore === '') return false;",
  },
  {
    name: 'the credential is unrestricted',
    caughtBy: [
      invariants,
      'MintedACIsRestricted: the minted application credential is restricted, in the object and in Keystone',
    ],
    file: 'objects/korc/application-credential.ts',
    find: 'unrestricted: !isRestricted(controlPlane),',
    replace: "unrestricted: controlPlane.kind !== '',",
  },
  {
    name: 'the Keystone names a clouds.yaml with the admin login',
    caughtBy: [
      invariants,
      'AppCredentialSecretAbsentFromKeystoneSpec: the Keystone names neither the credential nor a clouds.yaml',
    ],
    file: 'objects/keystone-child.ts',
    find: 'adminPasswordSecretRef: passwordRefOf(controlPlane),',
    replace: "adminPasswordSecretRef: { name: namesOf(controlPlane).passwordCloud, key: 'clouds.yaml' },",
  },
  {
    name: 'the name of the credential in Keystone is its secret',
    caughtBy: ['test/simulation/simulation.test.ts', 'create brownfield'],
    reports: ruleNames.noSecretOutside,
    file: 'api/names.ts',
    find: "createHash('sha256').update(value).digest('hex').slice(0, 12);",
    replace: "value + (createHash === undefined ? '' : '');",
  },
  {
    name: 'the digest of the password is the password',
    caughtBy: ['test/simulation/simulation.test.ts', 'create brownfield'],
    reports: ruleNames.noSecretOutside,
    file: 'objects/password-hash.ts',
    find: "return createHash('sha256').update(password).digest('hex');",
    replace: "return createHash === undefined ? '' : password;",
  },
  {
    name: 'the clouds.yaml has the password again during a re-mint',
    caughtBy: ['test/simulation/simulation.test.ts', 'rotate'],
    reports: ruleNames.noPasswordAgain,
    file: 'steps/clouds-yaml.ts',
    find: 'wasMinted(controlPlane) ? undefined : passwordDocument(controlPlane, needs.passwordCloud.password);\n    const content = document ?? valueIn(secret, cloudsYamlKey) ?? seed;',
    replace:
      "wasMinted(controlPlane) && cloudsYamlKey === '' ? undefined : passwordDocument(controlPlane, needs.passwordCloud.password);\n    const content = document ?? seed;",
  },
  {
    name: 'a clouds.yaml that the cache shows is trusted',
    caughtBy: [
      'steps/admin-credential.test.ts',
      'is read live only while the condition is not True; a settled ControlPlane costs no request',
    ],
    file: 'steps/admin-credential.ts',
    find: "holdsDocument(materialized) && !isTrue(controlPlane, 'AdminCredentialReady')\n        ?",
    replace: "isTrue(controlPlane, 'AdminCredentialReady') && names.cloudsYaml === ''\n        ?",
  },
  {
    name: 'External Secrets reads before it has pushed',
    caughtBy: [
      'objects/credential/credential-sync.test.ts',
      'is triggered by every push, and never between a stamp and its push',
    ],
    file: 'objects/credential/credential-sync.ts',
    find: 'trigger?.endsWith(`/${pushed}`) === true ? trigger : `${hash}/${pushed}`;',
    replace: 'trigger === `${hash}/${pushed}` ? trigger : `${hash}/${pushed}`;',
  },
  {
    name: 'the copy in OpenBao goes with the ControlPlane',
    caughtBy: [
      invariants,
      'CredentialSurvivesInOpenBao: the PushSecret deletes nothing, and the path is of this ControlPlane alone',
    ],
    file: 'objects/credential/credential-sync.ts',
    find: "deletionPolicy: 'None'",
    replace: "deletionPolicy: 'Delete'",
  },
];
