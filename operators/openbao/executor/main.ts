// SPDX-License-Identifier: Apache-2.0
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { systemClock as clock } from '@forge/runtime/environment/clock.ts';
import { httpClient } from '@forge/runtime/http/http-client.ts';
import { jsonLine, logger } from '@forge/runtime/observability/logger.ts';
import { onStopSignal } from '@forge/runtime/process/on-stop-signal.ts';
import { readFileIfExists } from '@forge/runtime/process/read-file-if-exists.ts';
import { executorPaths, executorVariables } from '../api/executor/executor-environment.ts';
import { openbaoApi } from '../clients/openbao-api.ts';
import { runExecutor } from './run-executor.ts';
import { s3Storage } from './s3-storage.ts';

const stopping = new AbortController();
onStopSignal(() => stopping.abort());
const log = logger({ clock, write: (entry) => void process.stderr.write(`${jsonLine(entry)}\n`) });

const { exitCode, message } = await runExecutor({
  environment: process.env,
  readFile: async (path) => (await readFileIfExists(path))?.toString(),
  clock,
  random: { bytes: randomBytes },
  openbao: openbaoApi((trust) => httpClient({ clock, ...trust })),
  storage: s3Storage,
  external: (work) => work,
  signal: stopping.signal,
  log,
});

const path = process.env[executorVariables.terminationPath] ?? executorPaths.terminationPath;
// Kubernetes has made the file; elsewhere there is none.
await writeFile(path, `${message}\n`, { flag: 'r+' }).catch((error: unknown) =>
  log.warn('no termination message', { error }),
);
process.exit(exitCode);
