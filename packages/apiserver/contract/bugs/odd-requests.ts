// SPDX-License-Identifier: Apache-2.0
import type { SeededBug } from './bug-seeder.ts';

/** Bugs in what is said to requests that people make by hand. */
export const oddRequestsBugs: readonly SeededBug[] = [
  {
    name: 'an object is created under any name',
    row: 'an object is not created under its own path',
    file: 'apiserver/handler/respond.ts',
    find: "verb === 'create' && name !== '' && subresource === undefined",
    replace: "verb === 'create' && name === '..' && subresource === undefined",
  },
  {
    name: 'a patch is read before there is something to patch',
    row: 'a patch of nothing finds nothing, whatever it says',
    file: 'apiserver/verbs/patch.ts',
    find: 'if (language !== undefined) storedObject(server, request);',
    replace: '',
  },
  {
    name: 'YAML is of its newer version',
    row: 'YAML means what it meant in its older version',
    file: 'apiserver/encoding/parse-yaml.ts',
    find: "version: '1.1',",
    replace: "version: '1.2',",
  },
  {
    name: 'a pod is bound by the binding of another',
    row: 'a binding is of the pod in its path',
    file: 'apiserver/subresources/bind-pod.ts',
    find: 'if (metadata?.name !== name)',
    replace: 'if (metadata?.name === name)',
  },
  {
    name: 'anything that breaks off in a selector is an identifier',
    row: 'a label selector that breaks off is refused where it breaks',
    file: 'kube/selectors/parse-label-selector.ts',
    find: "if (tokens.peek() !== '(') throw",
    replace: "if (tokens.peek() === '') throw",
  },
  {
    name: 'a webhook without a content type says nothing',
    row: 'a webhook that answers with an error fails',
    file: 'apiserver/webhooks/read-answer.ts',
    find: "contentType === '' || contentType",
    replace: 'contentType',
  },
];
