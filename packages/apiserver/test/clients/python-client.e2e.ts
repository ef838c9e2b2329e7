// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { servedServer, type ServedServer } from '../served-server.ts';
import { pythonPackages, withoutPython } from './python-packages.ts';

const release = 'kubernetes==37.0.2';
const program = fileURLToPath(new URL('python_client.py', import.meta.url));

/** What each function of the Python program tests. */
const subjects = {
  objects: 'reads, writes, lists, patches and deletes',
  pages: 'lists page by page',
  watches: 'watches from a resourceVersion',
  workloads: 'creates and scales a Deployment',
  events: 'writes an Event through one group and reads it through the other',
  custom: 'defines a kind and uses its objects',
  discovery: 'discovers the server version and its resources',
  dynamic: 'uses discovered kinds dynamically, and applies',
};

describe('the official Python client', { skip: withoutPython(), timeout: 300_000 }, () => {
  let served: ServedServer;
  let failures: Readonly<Record<string, string>>;

  // One process for all: the client takes seconds to load.
  before(async () => {
    const [server, packages] = await Promise.all([servedServer(), pythonPackages(release)]);
    served = server;
    const env = { ...process.env, PYTHONPATH: packages, KUBECONFIG: served.kubeconfig, HOME: served.folder };
    const { stdout } = await promisify(execFile)('python3', [program, ...Object.keys(subjects)], { env });
    failures = JSON.parse(stdout) as Record<string, string>;
  });
  after(() => served[Symbol.asyncDispose]());

  for (const [subject, sentence] of Object.entries(subjects)) {
    test(sentence, () => assert.ok(failures[subject] === undefined, failures[subject]));
  }
});
