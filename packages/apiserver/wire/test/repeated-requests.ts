// SPDX-License-Identifier: Apache-2.0
// Patches an object repeatedly over one connection; reports the number of responses by status or error.
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';

interface Options {
  size: number;
  times: number;
  port: number;
  path: string;
  ca: string;
  cert: string;
  key: string;
}

const { size, times, ...target } = JSON.parse(process.argv[2] ?? '') as Options;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const headers = { 'content-type': 'application/merge-patch+json' };
const counts: Record<string, number> = {};

for (let sent = 0; sent < times; sent += 1) {
  const status = await patch(JSON.stringify({ data: { value: String(sent % 10).repeat(size) } }));
  counts[status] = (counts[status] ?? 0) + 1;
}
process.send?.(counts);
agent.destroy();
process.disconnect();

async function patch(body: string): Promise<string> {
  try {
    const sending = request({ ...target, host: '127.0.0.1', method: 'PATCH', agent, headers }).end(body);
    const [response] = (await once(sending, 'response')) as [IncomingMessage];
    await response.resume().toArray();
    return String(response.statusCode);
  } catch (error) {
    return (error as Error).message;
  }
}
