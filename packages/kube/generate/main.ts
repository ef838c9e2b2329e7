// SPDX-License-Identifier: Apache-2.0
// Generates schemas, messages and types from Kubernetes' sources: node packages/kube/generate/main.ts <kubernetes>/api/openapi-spec/v3 <modules>/k8s.io && npm run format
import { writeFileSync } from 'node:fs';
import { goPackages } from './go-package.ts';
import { readGoTypes } from './read-go-types.ts';
import { readMessages } from './read-messages.ts';
import { readOpenApi } from './read-openapi.ts';
import { typeSource } from './type-source.ts';

const [folder, modules] = process.argv.slice(2);
if (folder === undefined || modules === undefined) {
  throw new Error(
    'usage: node packages/kube/generate/main.ts <kubernetes>/api/openapi-spec/v3 <folder of the Go modules api, apimachinery and apiextensions-apiserver>',
  );
}
const packages = goPackages(modules);
const { kinds, definitions } = readOpenApi(folder, readGoTypes(packages));
const outputs = {
  'schema/definitions.json': JSON.stringify({ kinds, definitions }),
  'protobuf/messages.json': JSON.stringify(readMessages(packages)),
  'generated/types.ts': typeSource(kinds, definitions),
};
for (const [path, text] of Object.entries(outputs)) writeFileSync(new URL(`../${path}`, import.meta.url), text);
