// SPDX-License-Identifier: Apache-2.0
// A process that patches an object again and again on one connection; reports how often each status came, or each error.
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
const answers: Record<string, number> = {};

for (let sent = 0; sent < times; sent += 1) {
  const answer = await patch(JSON.stringify({ data: { value: String(sent % 10).repeat(size) } }));
  answers[answer] = (answers[answer] ?? 0) + 1;
}
process.send?.(answers);
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
