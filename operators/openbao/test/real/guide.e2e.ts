// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { programImage } from '@forge/cluster/images/catalogue.ts';
import { imageStore } from '@forge/cluster/images/image-store.ts';
import { processCluster, type ProcessCluster } from '@forge/testing/programs/process-cluster.ts';
import { accounts, startStorage, type StorageServer } from '../executor/storage-server.ts';
import { executorRecipe } from './executor-image.ts';
import { commandsOf, guidePages, prepareFolder, runCommand, sectionsOf, type GuideCommand } from './guide-commands.ts';

/** A cluster that has the image of the operator, and nothing else. */
async function emptyCluster(): Promise<ProcessCluster> {
  const manifests = await readFile(new URL('../../manifests/install.yaml', import.meta.url), 'utf8');
  const [, image = assert.fail('install.yaml names no image')] = /image: (\S+)/.exec(manifests) ?? [];
  const operator = programImage(image, new URL('../../openbao-operator.mjs', import.meta.url));
  const recipes = [operator, executorRecipe];
  const images = imageStore({ cacheDir: join(homedir(), '.cache/forge'), recipes, log: console.error });
  return await processCluster(undefined, () => images);
}

/** The folder in which a reader works. */
const folderOf = (cluster: ProcessCluster) => join(cluster.folder, 'reader');

/** Runs the commands of a reader, and says what the last one printed when one fails. */
async function reader(cluster: ProcessCluster): Promise<(command: GuideCommand) => Promise<string>> {
  const folder = folderOf(cluster);
  await mkdir(folder);
  await prepareFolder(folder);
  return (command) => runCommand(command, { kubeconfig: cluster.kubeconfig, folder });
}

/** The storage server that a reader has, with its credentials in files. */
async function readersStorage(cluster: ProcessCluster): Promise<StorageServer> {
  for (const [name, value] of Object.entries(accounts.writer)) await writeFile(join(folderOf(cluster), name), value);
  return await startStorage(cluster);
}

/** What happens before somebody reads a page. */
const before: Partial<Record<(typeof guidePages)[number], string>> = {
  'troubleshoot.md': `kubectl -n secrets delete secret openbao-unseal-key
    kubectl -n secrets wait --for=condition=Degraded openbaocluster/openbao --timeout=2m`,
};

const [installPage, ...laterPages] = guidePages;

const [[, everywhere] = assert.fail('nothing installs the operator'), ...variants] = await sectionsOf(installPage);

describe('the commands of the guide', { concurrency: true }, () => {
  test('lead from an empty cluster to secrets that survive the deletion of their OpenBaoCluster', async () => {
    await using cluster = await emptyCluster();
    const run = await reader(cluster);
    await using storage = await readersStorage(cluster);
    for (const command of everywhere) await run(command);
    const printed: string[] = [];
    for (const page of laterPages) {
      const prepare = before[page];
      if (prepare !== undefined) await run({ script: prepare });
      for (const command of await commandsOf(page)) printed.push(await run(command));
    }
    assert.equal(printed.filter((text) => text.includes('hunter2')).length, 5, 'the secret is read on four pages');
    assert.equal((await storage.objects()).size, 2, 'a snapshot with a role, and one with a token');
    assert.match(printed.at(-1) ?? '', /No resources found/, 'nothing is left at the end');
  });

  for (const [variant, commands] of variants) {
    test(`install the operator: ${variant}`, async () => {
      await using cluster = await emptyCluster();
      const run = await reader(cluster);
      for (const command of commands) await run(command);
    });
  }
});
