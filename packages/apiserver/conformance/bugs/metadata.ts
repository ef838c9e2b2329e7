// SPDX-License-Identifier: Apache-2.0
import type { SeededBug } from './seeded-bug.ts';

const validation = 'apiserver/validation/validate-metadata.ts';

/** Bugs of metadata. */
export const metadataBugs: readonly SeededBug[] = [
  {
    name: 'another uid in a patch is accepted',
    caughtBy: 'a foreign uid is refused, however it is written',
    file: 'apiserver/pipeline/restrict-to-subresource.ts',
    find: "(written.uid ?? '') === '' ? uid : written.uid",
    replace: 'uid',
  },
  {
    name: 'another uid in an apply is accepted',
    caughtBy: 'a custom resource keeps its uid',
    file: 'apiserver/verbs/apply.ts',
    find: "['uid', 'selfLink',",
    replace: "['selfLink',",
  },
  {
    name: 'another uid in a patched scale is accepted',
    caughtBy: 'a foreign uid is refused where only a status is written',
    file: 'apiserver/subresources/scale.ts',
    find: 'if (language !== undefined) checkScaleUid(',
    replace: 'if (language === undefined) checkScaleUid(',
  },
  {
    name: 'a patch can mark an object as being deleted',
    caughtBy: "metadata.deletionTimestamp is the server's",
    file: validation,
    find: "'deletionTimestamp', 'deletionGracePeriodSeconds'",
    replace: "'deletionGracePeriodSeconds'",
  },
  {
    name: 'an update can extend the grace period',
    caughtBy: 'an object that is being deleted goes on being deleted',
    file: 'apiserver/pipeline/restrict-to-subresource.ts',
    find: 'written.deletionGracePeriodSeconds ?? deletionGracePeriodSeconds',
    replace: 'deletionGracePeriodSeconds',
  },
  {
    name: 'generateName is not validated',
    caughtBy: "metadata.generateName is the server's",
    file: validation,
    find: "toError('metadata.generateName', generateName, rule(beginning))",
    replace: '[]',
  },
  {
    name: 'built-in kinds accept any finalizer name',
    caughtBy: 'a finalizer has a name that is allowed for its kind',
    file: 'apiserver/validation/validate-finalizers.ts',
    find: "finalizer.includes('/') ||",
    replace: "finalizer.includes('') ||",
  },
  {
    name: 'custom resources need finalizers with a prefix',
    caughtBy: 'a finalizer has a name that is allowed for its kind',
    file: validation,
    find: 'subject.custom ||',
    replace: '',
  },
  {
    name: 'a finalizer without a prefix causes no warning',
    caughtBy: 'a finalizer has a name that is allowed for its kind',
    file: 'apiserver/registry/custom-resource.ts',
    find: '      warnings: finalizerWarnings,\n',
    replace: '',
  },
  {
    name: 'an owner needs no uid',
    caughtBy: 'owners are named in full',
    file: 'apiserver/validation/validate-owners.ts',
    find: "...(uid === '' ?",
    replace: "...(uid === 'none' ?",
  },
  {
    name: 'names of events are validated like others',
    caughtBy: 'events have names and namespaces of their own rules',
    file: validation,
    find: '  Event: [],\n',
    replace: '',
  },
  {
    name: 'a stateful set may have dots in its name',
    caughtBy: 'names of every kind are what is allowed there',
    file: validation,
    find: "'Service', 'StatefulSet'",
    replace: "'Service'",
  },
  {
    name: 'a config map is validated once',
    caughtBy: 'changed metadata of every kind are checked for all kinds alike and for each',
    file: validation,
    find: "  ConfigMap: ['change', 'whole'],\n",
    replace: '',
  },
  {
    name: 'a lease is overwritten by an update without a version',
    caughtBy: 'an update without a version overwrites some kinds and is refused by others',
    file: 'apiserver/registry/strategies/cluster.ts',
    find: 'validate: validateLease, requiresVersionOnUpdate: true,',
    replace: 'validate: validateLease,',
  },
  {
    name: 'a definition is overwritten by an update without a version',
    caughtBy: 'a definition is not updated without its version',
    file: 'apiserver/registry/strategies/definitions.ts',
    find: '    warnings: definitionWarnings,\n    requiresVersionOnUpdate: true,\n',
    replace: '    warnings: definitionWarnings,\n',
  },
  {
    name: 'an update cannot create',
    caughtBy: 'an update creates what is not there, in some kinds',
    file: 'apiserver/verbs/update.ts',
    find: 'resource.strategy.allowCreateOnUpdate !== true',
    replace: 'resource.strategy !== undefined',
  },
  {
    name: 'update includes create',
    caughtBy: 'who updates what is not there must be allowed to create it',
    file: 'apiserver/verbs/update.ts',
    find: '  authorize(server.authorizer, user, createAccessRequest(request));\n',
    replace: '',
  },
  {
    name: 'a terminating definition accepts new objects',
    caughtBy: 'a terminating definition takes no new resources',
    file: 'apiserver/admission/definition-lifecycle.ts',
    find: 'if (isTerminating !== true) return object;',
    replace: 'if (isTerminating !== undefined) return object;',
  },
];
