// SPDX-License-Identifier: Apache-2.0
import { existsSync, readFileSync } from 'node:fs';

/** The longest subject in characters. */
const longest = 140;

/** The subject of a room: the first sentence of its README; empty without one. */
export function subjectOf(room: string): string {
  if (!existsSync(`${room}/README.md`)) return '';
  const text = readFileSync(`${room}/README.md`, 'utf8')
    .replace(/^#.*\n+/, '')
    .replaceAll('\n', ' ');
  return /^.*?\.(?= |$)/.exec(text)?.[0] ?? text;
}

/** Why a room seems to have no subject, or more than one; details may follow a colon. */
export function subjectProblem(room: string): string[] {
  const subject = subjectOf(room);
  if (subject === '') return [`${room} has no README.md that begins with its subject`];
  if (subject.length > longest) return [`${room}/README.md: the first sentence is longer than ${longest} characters`];
  const [beforeColon = ''] = subject.split(':');
  const isDouble = subject.includes(';') || beforeColon.includes(', and ');
  return isDouble ? [`${room}/README.md: the first sentence names two subjects: "${subject}"`] : [];
}
