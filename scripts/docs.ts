// SPDX-License-Identifier: Apache-2.0
// Writes reference pages and manifests from the code. With --check, only reports whether they are up to date.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Transport } from '@forge/kube/client/transport.ts';
import { referenceOf } from '@forge/kube/kinds/reference.ts';
import { operatorManifests } from '@forge/runtime/manifests/operator-manifests.ts';
import { exitCodes } from '@forge/runtime/process/exit-code.ts';
import type { Operator } from '@forge/runtime/process/run-operator.ts';
import { systemRandom } from '@forge/runtime/random/random.ts';
import { systemClock } from '@forge/runtime/time/clock.ts';
import { stringify } from 'yaml';
import { exitCodes as forgeExitCodes } from '../apps/cli/terminal/exit-code.ts';
import { websitesOperator } from '../examples/websites/websites.ts';
import { ControlPlane } from '../operators/controlplane/control-plane.ts';
import { CredentialRotation } from '../operators/controlplane/credential-rotation.ts';
import { controlPlaneDashboard } from '../operators/controlplane/dashboard.ts';
import { controlPlaneOperator } from '../operators/controlplane/operator.ts';
import { SecretAggregate } from '../operators/controlplane/secret-aggregate.ts';
import { keystoneDashboard } from '../operators/keystone/dashboard.ts';
import { Keystone } from '../operators/keystone/keystone.ts';
import { keystoneOperator } from '../operators/keystone/operator.ts';
import { controlPlaneAdmissionPage } from './control-plane-admission.ts';
import { keystoneAdmissionPage } from './keystone-admission.ts';
import { drawLayers } from './layers/draw.ts';
import { writeSupport } from './support-section.ts';

/** Documents are made without a cluster. */
const unreachable: Transport = {
  request: () => Promise.reject(new Error('there is no cluster')),
  stream: () => Promise.reject(new Error('there is no cluster')),
};

const pages: Readonly<Record<string, string>> = {
  'docs/reference/keystone.md': referenceOf(Keystone),
  'docs/reference/keystone-admission.md': keystoneAdmissionPage(),
  'docs/reference/control-plane.md': referenceOf(ControlPlane),
  'docs/reference/control-plane-admission.md': controlPlaneAdmissionPage(),
  'docs/reference/credential-rotation.md': referenceOf(CredentialRotation),
  'docs/reference/secret-aggregate.md': referenceOf(SecretAggregate),
  'docs/design.md': drawLayers(await readFile('docs/design.md', 'utf8')),
  'README.md': writeSupport(await readFile('README.md', 'utf8')),
  'docs/reference/exit-codes.md': exitCodesPage(),
  ...manifestsOf('operators/keystone', keystoneOperator, 'c5c3/'),
  'operators/keystone/manifests/dashboard.json': `${JSON.stringify(keystoneDashboard, undefined, 2)}\n`,
  ...manifestsOf('operators/controlplane', controlPlaneOperator, 'c5c3/'),
  'operators/controlplane/manifests/dashboard.json': `${JSON.stringify(controlPlaneDashboard, undefined, 2)}\n`,
  ...manifestsOf('examples/websites', websitesOperator({ farewell: async () => {} })),
};

function manifestsOf(folder: string, operator: Operator, repository = ''): Record<string, string> {
  const namespace = 'forge-system';
  const host = { clock: systemClock, random: systemRandom, transport: unreachable };
  const controllers = operator.controllers({ ownNamespace: namespace }, host);
  const image = `${repository}${operator.name}:${operator.version}`;
  const files = operatorManifests({ ...operator, namespace, image, controllers });
  const texts = Object.entries(files).map(([file, objects]) => {
    const documents = objects.map((object) => stringify(object, { lineWidth: 0 }));
    return [
      `${folder}/manifests/${file}`,
      `# Generated from the code by npm run docs; do not edit.\n${documents.join('---\n')}`,
    ] as const;
  });
  return Object.fromEntries(texts);
}

function exitCodesPage(): string {
  const operator = 'The exit codes of every operator process, for whoever restarts it.';
  const forge = 'The exit codes of `forge`, also as `npm start` and `npm run forge`.';
  const parts = [
    '# Exit codes',
    '## Operators',
    operator,
    exitCodeTable(exitCodes),
    '## forge',
    forge,
    exitCodeTable(forgeExitCodes),
  ];
  return `${parts.join('\n\n')}\n`;
}

function exitCodeTable(codes: Readonly<Record<string, { code: number; description: string }>>): string {
  const rows = [{ code: 'code', description: 'meaning' }, ...Object.values(codes)];
  const width = Math.max(...rows.map(({ description }) => description.length));
  const [heading, ...lines] = rows.map(
    ({ code, description }) => `| ${String(code).padEnd(4)} | ${description.padEnd(width)} |`,
  );
  return [heading, `| ---- | ${'-'.repeat(width)} |`, ...lines].join('\n');
}

const isCheck = process.argv.includes('--check');
for (const [path, text] of Object.entries(pages)) {
  const file = fileURLToPath(new URL(`../${path}`, import.meta.url));
  const current = await readFile(file, 'utf8').catch(() => '');
  if (current === text) continue;
  if (isCheck) {
    console.error(`${path} is outdated: run npm run docs`);
    process.exitCode = 1;
  } else {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
    console.log(`${path} written`);
  }
}
