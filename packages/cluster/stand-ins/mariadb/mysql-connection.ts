// SPDX-License-Identifier: Apache-2.0
import { createHash } from 'node:crypto';
import type { Duplex } from 'node:stream';

/** An error of the server, as mariadb-operator prints it: `Error 1133 (28000): Can't find any matching row`. */
export class SqlError extends Error {
  readonly code: number;

  constructor(code: number, state: string, message: string) {
    super(`Error ${code}${state === '' ? '' : ` (${state})`}: ${message}`);
    this.code = code;
  }
}

/** A connection that executes statements without results. */
export interface MysqlConnection {
  execute(statement: string): Promise<void>;
  close(): void;
}

// CLIENT_LONG_PASSWORD, CLIENT_PROTOCOL_41, CLIENT_SECURE_CONNECTION, CLIENT_PLUGIN_AUTH
const capabilities = 0x1 | 0x200 | 0x8000 | 0x80000;
const utf8mb4 = 45;
const maxPacket = 0xffffff;
const queryCommand = 3;
const [ok, authSwitch, failure] = [0x00, 0xfe, 0xff];

/** Logs in with a native password. The socket is destroyed when that fails. */
export async function mysqlConnection(
  socket: Duplex,
  { user, password }: { user: string; password: string },
): Promise<MysqlConnection> {
  const packets = packetsOf(socket);

  async function receive(): Promise<Packet> {
    const { done, value } = await packets.next();
    if (done === true) throw new Error('the server closed the connection');
    if (value.payload[0] === failure) throw errorOf(value.payload);
    return value;
  }

  function send(sequence: number, payload: Buffer): void {
    const header = Buffer.alloc(4);
    header.writeUIntLE(payload.length, 0, 3);
    header.writeUInt8(sequence & 0xff, 3);
    socket.write(Buffer.concat([header, payload]));
  }

  async function expectOk(): Promise<void> {
    const { payload, sequence } = await receive();
    if (payload[0] === ok) return;
    if (payload[0] !== authSwitch) throw new Error('the server responded to a statement with a result set');
    const { plugin, scramble } = switchRequest(payload);
    if (plugin !== 'mysql_native_password') throw new Error(`the server asks for ${plugin}, not for a native password`);
    send(sequence + 1, nativePassword(password, scramble));
    await expectOk();
  }

  try {
    const greeting = await receive();
    send(greeting.sequence + 1, loginRequest(user, nativePassword(password, scrambleOf(greeting.payload))));
    await expectOk();
  } catch (error) {
    socket.destroy();
    throw error;
  }
  return {
    async execute(statement) {
      const payload = Buffer.concat([Buffer.of(queryCommand), Buffer.from(statement)]);
      if (payload.length >= maxPacket) throw new Error(`a statement of ${payload.length} bytes is too long`);
      send(0, payload);
      await expectOk();
    },
    close: () => socket.destroy(),
  };
}

interface Packet {
  sequence: number;
  payload: Buffer;
}

/** The packets that a socket receives: three bytes of length, one byte of sequence, and the payload. */
async function* packetsOf(socket: Duplex): AsyncGenerator<Packet, void> {
  let pending = Buffer.alloc(0);
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    pending = Buffer.concat([pending, chunk]);
    while (pending.length >= 4 && pending.length >= 4 + pending.readUIntLE(0, 3)) {
      const end = 4 + pending.readUIntLE(0, 3);
      yield { sequence: pending.readUInt8(3), payload: pending.subarray(4, end) };
      pending = pending.subarray(end);
    }
  }
}

/** The random bytes of the server's greeting: eight after its version and thread id, and twelve later. */
function scrambleOf(greeting: Buffer): Buffer {
  const first = greeting.indexOf(0, 1) + 5;
  const second = first + 8 + 19;
  return Buffer.concat([greeting.subarray(first, first + 8), greeting.subarray(second, second + 12)]);
}

function switchRequest(payload: Buffer): { plugin: string; scramble: Buffer } {
  const end = payload.indexOf(0, 1);
  return { plugin: payload.toString('latin1', 1, end), scramble: payload.subarray(end + 1, end + 21) };
}

function loginRequest(user: string, answer: Buffer): Buffer {
  const fixed = Buffer.alloc(32);
  fixed.writeUInt32LE(capabilities, 0);
  fixed.writeUInt32LE(maxPacket, 4);
  fixed.writeUInt8(utf8mb4, 8);
  const zero = Buffer.of(0);
  return Buffer.concat([
    fixed,
    Buffer.from(user),
    zero,
    Buffer.of(answer.length),
    answer,
    Buffer.from('mysql_native_password'),
    zero,
  ]);
}

/** Proves the password without sending it: SHA1(password) xor SHA1(scramble + SHA1(SHA1(password))). */
function nativePassword(password: string, scramble: Buffer): Buffer {
  if (password === '') return Buffer.alloc(0);
  const once = sha1(Buffer.from(password));
  const mask = sha1(Buffer.concat([scramble, sha1(once)]));
  return Buffer.from(once.map((byte, index) => byte ^ (mask[index] ?? 0)));
}

function sha1(data: Buffer): Buffer {
  return createHash('sha1').update(data).digest();
}

function errorOf(payload: Buffer): SqlError {
  const code = payload.readUInt16LE(1);
  const hasState = payload.toString('latin1', 3, 4) === '#';
  const state = hasState ? payload.toString('latin1', 4, 9) : '';
  return new SqlError(code, state, payload.toString('utf8', hasState ? 9 : 3));
}
