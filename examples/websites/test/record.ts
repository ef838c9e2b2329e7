// SPDX-License-Identifier: Apache-2.0
// Records the scenario on a real Kubernetes: npm run example:record
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { withReferenceCluster } from '@forge/apiserver/conformance/reference/with-reference-cluster.ts';
import { runStory } from './run-story.ts';

const file = fileURLToPath(new URL('recorded.json', import.meta.url));
await withReferenceCluster(process.env, homedir(), async ({ connection }) => {
  await writeFile(file, JSON.stringify(await runStory(connection)));
});
await promisify(execFile)('oxfmt', [file]);
console.log(`${join('examples', 'websites', 'test', 'recorded.json')} is written`);
