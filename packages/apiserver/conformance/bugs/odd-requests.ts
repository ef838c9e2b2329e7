// SPDX-License-Identifier: Apache-2.0
import type { SeededBug } from './seeded-bug.ts';

/** Bugs with unusual requests. */
export const oddRequestsBugs: readonly SeededBug[] = [
  {
    name: 'an object is created under any name',
    caughtBy: 'an object is not created under its own path',
    file: 'apiserver/routing/route.ts',
    find: "verb === 'create' && name !== '' && subresource === undefined",
    replace: "verb === 'create' && name === '..' && subresource === undefined",
  },
  {
    name: 'a patch is decoded before a missing object is reported',
    caughtBy: 'a patch of nothing finds nothing, whatever it says',
    file: 'apiserver/verbs/patch.ts',
    find: 'if (language !== undefined) storedObject(server, request);',
    replace: '',
  },
  {
    name: 'YAML is parsed as version 1.2',
    caughtBy: 'YAML means what it meant in its older version',
    file: 'apiserver/encoding/yaml-document.ts',
    find: "version: '1.1',",
    replace: "version: '1.2',",
  },
  {
    name: 'a binding may name another pod',
    caughtBy: 'a binding is of the pod in its path',
    file: 'apiserver/subresources/bind-pod.ts',
    find: 'if (metadata?.name !== name)',
    replace: 'if (metadata?.name === name)',
  },
  {
    name: 'a truncated selector is read as an identifier',
    caughtBy: 'a label selector that breaks off is refused where it breaks',
    file: 'kube/selectors/parse-label-selector.ts',
    find: "if (tokens.peek() !== '(') throw",
    replace: "if (tokens.peek() === '') throw",
  },
  {
    name: 'the message of a webhook without content type is lost',
    caughtBy: 'a webhook that answers with an error fails',
    file: 'apiserver/webhooks/calls/read-answer.ts',
    find: "contentType === '' || contentType",
    replace: 'contentType',
  },
];
