// SPDX-License-Identifier: Apache-2.0
import type { SeededBug } from './bug-seeder.ts';

/** Bugs that show when what is sent is malformed, oversized or hostile. */
export const badInputBugs: readonly SeededBug[] = [
  {
    name: 'an object may be as deep as it likes',
    row: 'custom resources nested 100,000 deep are refused',
    file: 'apiserver/encoding/parse-json.ts',
    find: 'value === undefined || depth > maxDepth',
    replace: 'value === undefined',
  },
  {
    name: 'a field named twice is not noticed',
    row: 'a field named twice is told with its path',
    file: 'apiserver/encoding/parse-json.ts',
    find: 'names !== countFields(value)',
    replace: 'false',
  },
  {
    name: 'a body may be as large as it likes',
    row: 'a body larger than any object may be is refused',
    file: 'apiserver/encoding/decode-body.ts',
    find: 'if (body.length > maxBodySize) throw tooLarge(maxBodySize);',
    replace: '',
  },
  {
    name: 'what a body is called is not looked at before what it holds',
    row: 'an object of another kind is refused',
    file: 'apiserver/encoding/decode-body.ts',
    find: 'const misfit = headProblem(value);',
    replace: 'const misfit = isRecord(value) ? undefined : headProblem(value);',
  },
  {
    name: 'a merge patch may be a list',
    row: 'a patch that is no patch is refused',
    file: 'apiserver/encoding/patch-types.ts',
    find: 'if (isList ? Array.isArray(patch) : isObject(patch)) return;',
    replace: 'if (!isList || Array.isArray(patch)) return;',
  },
  {
    name: 'a slash in a name is one',
    row: 'a name that is none is refused',
    file: 'apiserver/request/request-info.ts',
    find: "decode(path).split('/')",
    replace: "path.split('/').map(decode)",
  },
];
