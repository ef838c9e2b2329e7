// SPDX-License-Identifier: Apache-2.0
import type { SeededBug } from './seeded-bug.ts';

const resource = 'apiserver/registry/custom-resource.ts';
const converter = 'apiserver/registry/version-converter.ts';

/** Bugs of custom resources in several versions. */
export const servedVersionsBugs: readonly SeededBug[] = [
  {
    name: 'versions are preferred in the order of their names',
    caughtBy: 'every served version of a definition is discovered, the most stable and newest first',
    file: 'apiserver/discovery/api-groups.ts',
    find: '.toSorted(compareVersions)',
    replace: '.toSorted()',
  },
  {
    name: 'every version is hashed as if it were stored',
    caughtBy: 'every served version of a definition is discovered, the most stable and newest first',
    file: resource,
    find: "storageVersion: versions.storage.split('/').at(-1) ?? '',",
    replace: '',
  },
  {
    name: 'unserved versions are served',
    caughtBy: 'a version that is no longer served is gone, its objects are not',
    file: resource,
    find: 'version.served && (version.storage ||',
    replace: '(version.storage ||',
  },
  {
    name: 'only the storage version is served',
    caughtBy: 'an object is read in every version, whichever it was written in',
    file: resource,
    find: '(version.storage || !needsConversionWebhook(spec))',
    replace: '(version.storage || needsConversionWebhook(spec))',
  },
  {
    name: 'a subresource of one version is one of all',
    caughtBy: 'each version has subresources of its own',
    file: resource,
    find: '...(status === undefined ? []',
    replace: '...(version.name === undefined ? []',
  },
  {
    name: 'objects are stored in the version they were written in',
    caughtBy: 'objects are stored in another version once they are written',
    file: converter,
    find: 'toStored: (object) => converted(object, storage)',
    replace: 'toStored: (object) => object',
  },
  {
    name: 'an object is shown in the version it is stored in',
    caughtBy: 'a watch tells objects in its own version',
    file: converter,
    find: 'schema), apiVersion);',
    replace: 'schema), object.apiVersion);',
  },
  {
    name: 'a served version has fields of another one',
    caughtBy: 'what a version does not know is not stored through it, nor shown in it',
    file: converter,
    find: 'return prune({ ...object, apiVersion: to }, schemas.get(to) ?? {}).object;',
    replace: 'return { ...object, apiVersion: to };',
  },
  {
    name: 'an object written in another version lacks the defaults of the stored one',
    caughtBy: 'each version has defaults and rules of its own',
    file: converter,
    find: ' && schemas.size === 1',
    replace: ' && stored.value.apiVersion === apiVersion',
  },
  {
    name: 'all versions have the columns of the stored one',
    caughtBy: 'each version has columns and selectable fields of its own',
    file: resource,
    find: 'columns: customColumns(kind.printerColumns)',
    replace: 'columns: customColumns(kindOf(spec, spec.versions.find(({ storage }) => storage)!).printerColumns)',
  },
  {
    name: 'all versions are selected by the fields of the stored one',
    caughtBy: 'each version has columns and selectable fields of its own',
    file: resource,
    find: '(version.selectableFields ?? [])',
    replace: '(spec.versions.find(({ storage }) => storage)?.selectableFields ?? [])',
  },
  {
    name: 'changed rules validate stored objects',
    caughtBy: 'a rule about changes compares values in the version of the request',
    file: 'apiserver/verbs/write-request.ts',
    find: 'before && resource.toServed(before).value',
    replace: 'before && before.value',
  },
  {
    name: 'deleting a definition without served versions keeps its objects',
    caughtBy: 'a definition that serves nothing is deleted with its objects',
    file: 'apiserver/controllers/definition-controller.ts',
    find: 'serving.get(key)?.defined.stored;\n',
    replace: 'serving.get(key)?.defined.stored;\n    if (serving.get(key)?.defined.served.length === 0) return;\n',
  },
  {
    name: 'a deprecated version causes no warning',
    caughtBy: 'a deprecated version warns whoever uses it',
    file: 'apiserver/routing/route.ts',
    find: 'if (resource.deprecation !== undefined) warn(resource.deprecation);',
    replace: '',
  },
  {
    name: 'a version that is not deprecated can have a deprecation warning',
    caughtBy: 'versions have names that are allowed, schemas, and warnings only when deprecated',
    file: 'apiserver/validation/kinds/version-rules.ts',
    find: "if (!deprecated) return ['can only be set for deprecated versions'];",
    replace: '',
  },
];
