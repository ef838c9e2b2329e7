// SPDX-License-Identifier: Apache-2.0
import type { SeededBug } from './seeded-bug.ts';

/** Bugs with malformed, oversized or hostile input. */
export const badInputBugs: readonly SeededBug[] = [
  {
    name: 'there is no depth limit',
    caughtBy: 'custom resources nested 100,000 deep are refused',
    file: 'apiserver/encoding/parse-json.ts',
    find: 'depth > maxDepth ? undefined : tryParse(text)',
    replace: 'tryParse(text)',
  },
  {
    name: 'duplicate fields are not detected',
    caughtBy: 'a field named twice is told with its path',
    file: 'apiserver/encoding/parse-json.ts',
    find: 'names !== countFields(value)',
    replace: 'false',
  },
  {
    name: 'there is no body size limit',
    caughtBy: 'a body larger than any object may be is refused',
    file: 'apiserver/encoding/decode-body.ts',
    find: 'if (body.length > maxBodySize) throw tooLarge(maxBodySize);',
    replace: '',
  },
  {
    name: 'the kind of a body is not checked first',
    caughtBy: 'an object of another kind is refused',
    file: 'apiserver/encoding/decode-body.ts',
    find: 'const misfit = headProblem(value);',
    replace: 'const misfit = isRecord(value) ? undefined : headProblem(value);',
  },
  {
    name: 'a merge patch may be a list',
    caughtBy: 'a patch that is no patch is refused',
    file: 'apiserver/encoding/patch-types.ts',
    find: 'if (isList ? Array.isArray(patch) : isObject(patch)) return;',
    replace: 'if (!isList || Array.isArray(patch)) return;',
  },
  {
    name: 'an escaped slash in a name is a separator',
    caughtBy: 'a name that is none is refused',
    file: 'apiserver/messages/request-info.ts',
    find: "decodePath(path).split('/')",
    replace: "path.split('/').map(decodePath)",
  },
];
