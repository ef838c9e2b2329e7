// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import { apiServer } from '@forge/apiserver/api-server.ts';
import { durableStorage } from '@forge/apiserver/storage/durable-storage.ts';
import { serve } from '@forge/apiserver/wire/serve.ts';
import { systemClock } from '@forge/runtime/environment/clock.ts';
import { systemRandom } from '@forge/runtime/environment/random.ts';
import type { ServerTls } from '../harness/server-process.ts';

// An API server in its own process; it stores its objects in a folder when given one.
process.on('disconnect', () => process.exit());
const [tls] = (await once(process, 'message')) as [ServerTls];
const [dir] = process.argv.slice(2);
const storage = dir === undefined ? {} : { storage: await durableStorage(dir) };
const server = await apiServer({ clock: systemClock, random: systemRandom, ...storage });
const { port } = await serve(server, { port: 0, tls });
process.send?.(port);
