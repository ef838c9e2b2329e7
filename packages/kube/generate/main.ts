// SPDX-License-Identifier: Apache-2.0
// Rebuilds ../generated: node packages/kube/generate/main.ts <kubernetes>/api/openapi-spec/v3 && npx --no oxfmt packages/kube/generated
import { writeFileSync } from 'node:fs';
import { readOpenApi } from './read-openapi.ts';
import { typeSource } from './type-source.ts';

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  throw new Error('Give the folder of the OpenAPI v3 documents: api/openapi-spec/v3 of a Kubernetes source tree');
}
const { kinds, definitions } = readOpenApi(folder);
const output = new URL('../generated/', import.meta.url);
writeFileSync(new URL('definitions.json', output), JSON.stringify({ kinds, definitions }));
writeFileSync(new URL('types.ts', output), typeSource(kinds, definitions));
