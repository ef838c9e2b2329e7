// SPDX-License-Identifier: Apache-2.0
// Writes reference pages and manifests from the code, and reports broken links between pages. With --check, only reports
// whether they are up to date.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exitCodes as forgeExitCodes } from '@forge/cli/terminal/exit-code.ts';
import type { Transport } from '@forge/kube/client/transport.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { referenceOf } from '@forge/kube/kinds/reference.ts';
import { catalogPage } from '@forge/runtime/conditions/catalog-page.ts';
import type { Controller } from '@forge/runtime/controller/controller.ts';
import { systemClock } from '@forge/runtime/environment/clock.ts';
import { systemRandom } from '@forge/runtime/environment/random.ts';
import { operatorManifests } from '@forge/runtime/manifests/operator-manifests.ts';
import { exitCodes } from '@forge/runtime/process/exit-code.ts';
import type { Operator } from '@forge/runtime/process/run-operator.ts';
import { websitesOperator } from '@forge/websites/websites.ts';
import { stringify } from 'yaml';
import { operators, type RegisteredOperator } from '../operators/operators.ts';
import { admissionPage } from './admission-page.ts';
import { brokenLinks } from './broken-links.ts';
import { writeCompatibility } from './compatibility.ts';
import { drawLayers, roomsPage } from './layers-page.ts';
import { markdownTable } from './markdown-table.ts';
import { writeStandIns } from './stand-ins-table.ts';
import { stepsPage } from './steps-page.ts';
import { writeSupport } from './support-section.ts';
import { writeSystem } from './system-table.ts';

/** Documents are made without a cluster. */
const unreachable: Transport = {
  request: () => Promise.reject(new Error('there is no cluster')),
  stream: () => Promise.reject(new Error('there is no cluster')),
};

/** Where the manifests install operators. */
const namespace = 'forge-system';

const pages: Readonly<Record<string, string>> = {
  ...Object.assign({}, ...(await Promise.all(operators.map(operatorPages)))),
  'docs/reference/rooms.md': roomsPage(),
  'docs/design.md': drawLayers(await readFile('docs/design.md', 'utf8')),
  'docs/concepts/system.md': writeSystem(await readFile('docs/concepts/system.md', 'utf8')),
  'docs/concepts/compatibility.md': writeCompatibility(await readFile('docs/concepts/compatibility.md', 'utf8')),
  'packages/cluster/stand-ins/README.md': writeStandIns(await readFile('packages/cluster/stand-ins/README.md', 'utf8')),
  'README.md': writeSupport(await readFile('README.md', 'utf8')),
  'docs/reference/exit-codes.md': exitCodesPage(),
  ...manifestsOf('examples/websites', websitesOperator({ farewell: async () => {} })),
};

/** The reference pages and manifests of an operator; the pages are named after its kinds. */
async function operatorPages(registered: RegisteredOperator): Promise<Record<string, string>> {
  const { name, operator, kinds, dashboard } = registered;
  const [{ kind: main }] = kinds;
  const { admission } = (await registered.development()).development;
  const manifests = `operators/${name}/manifests`;
  const ofKinds = kinds.flatMap(({ kind, conditions }) => [
    [pageOf(kind), referenceOf(kind, `../../${manifests}/crds.yaml`)],
    ...(conditions === undefined ? [] : [[pageOf(kind, '-conditions'), catalogPage(kind.kind, conditions)]]),
  ]);
  return {
    ...Object.fromEntries(ofKinds),
    ...(admission !== undefined && { [pageOf(main, '-admission')]: admissionPage(main.kind, admission) }),
    [pageOf(main, '-steps')]: stepsPage(`${main.kind} operator`, controllersOf(operator)),
    ...manifestsOf(`operators/${name}`, operator, 'c5c3/'),
    [`${manifests}/dashboard.json`]: `${JSON.stringify(dashboard, undefined, 2)}\n`,
  };
}

/** The path of a page about a kind: `docs/reference/control-plane-steps.md`. */
function pageOf({ kind }: Kind, suffix = ''): string {
  return `docs/reference/${kind.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase()}${suffix}.md`;
}

function controllersOf(operator: Operator): readonly Controller[] {
  const host = { clock: systemClock, random: systemRandom, transport: unreachable };
  return operator.controllers({ ownNamespace: namespace }, host);
}

function manifestsOf(folder: string, operator: Operator, repository = ''): Record<string, string> {
  const controllers = controllersOf(operator);
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
  const rows = Object.values(codes).map(({ code, description }) => [String(code), description]);
  return markdownTable(['code', 'meaning'], rows);
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
for (const problem of brokenLinks()) {
  console.error(problem);
  process.exitCode = 1;
}
